"""Widgets through jupyter_client; run by widgets-session.client.ts. Prints what it saw as JSON."""
import json

from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="jitlab")
seen = {}


def execute(code):
    """Runs a cell: its reply's status, and the messages that it published."""
    return until_idle(client.execute(code, stop_on_error=False))


def until_idle(request):
    published = []
    while True:
        message = client.get_iopub_msg(timeout=60)
        if message["parent_header"].get("msg_id") != request:
            continue
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return published
        published.append(message)


def change(comm, **state):
    """What a front end sends when somebody moves a control."""
    content = {"comm_id": comm, "data": {"method": "update", "state": state, "buffer_paths": []}}
    message = client.session.msg("comm_msg", content)
    client.shell_channel.send(message)
    return until_idle(message["header"]["msg_id"])


def of_type(messages, kind):
    return [message for message in messages if message["msg_type"] == kind]


def text(messages):
    return of_type(messages, "execute_result")[0]["content"]["data"]["text/plain"]


def kernels():
    return text(execute("jl.timings().length"))


execute('import * as jl from "jitlab"; import { image } from "jitlab/plot"; import { interact, slider } from "jitlab/widgets";')
opened = execute("const gain = slider(0, 10, { value: 2 }); let heard = 0; gain.observe((value) => { heard = value; }); gain")
(comm,) = of_type(opened, "comm_open")
seen["model"] = comm["content"]["data"]["state"]["_model_name"]
(shown,) = of_type(opened, "execute_result")
seen["forms"] = sorted(shown["content"]["data"])
change(comm["content"]["comm_id"], value=7)
seen["heard"] = text(execute("[heard, gain.value]"))
told = execute("gain.value = 3;")
seen["told"] = of_type(told, "comm_msg")[0]["content"]["data"]["state"]

execute("const shade = jl.jit((x, power = 2) => Math.pow(x, power));\nconst ramp = jl.linspace(0, 1, 4096).reshape([64, 64]);")
made = of_type(execute("interact((power) => image(shade(ramp, { power }), { min: 0, max: 1 }), { power: [0.5, 4] })"), "comm_open")
seen["interact"] = [one["content"]["data"]["state"]["_model_name"] for one in made]
before = kernels()
pictures = []
for power in (1.0, 2.5):
    (picture,) = [one for one in of_type(change(made[0]["content"]["comm_id"], value=power), "comm_msg") if one["buffers"]]
    pictures.append(bytes(picture["buffers"][0]))
seen["pictures"] = [picture[1:4].decode() for picture in pictures] + [pictures[0] != pictures[1]]
seen["compiled"] = kernels() != before

client.stop_channels()
manager.shutdown_kernel(now=True)
print(json.dumps(seen))
