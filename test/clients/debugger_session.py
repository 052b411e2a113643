"""A debugging session through jupyter_client; run by debugger-session.client.ts. Prints what it saw as JSON."""
import json

from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="jitlab")
sequence = 0
seen = {}


def debug(command, **arguments):
    global sequence
    sequence += 1
    request = {"type": "request", "seq": sequence, "command": command, "arguments": arguments}
    message = client.session.msg("debug_request", request)
    client.control_channel.send(message)
    while True:
        reply = client.get_control_msg(timeout=30)
        if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
            assert reply["content"]["success"], reply["content"]
            return reply["content"]["body"]


def event(name):
    while True:
        message = client.get_iopub_msg(timeout=30)
        if message["msg_type"] == "debug_event" and message["content"]["event"] == name:
            return message["content"]["body"]


def reply_to(request):
    while True:
        reply = client.get_shell_msg(timeout=30)
        if reply["parent_header"].get("msg_id") == request:
            return reply["content"]


def frames():
    found = debug("stackTrace", threadId=1)["stackFrames"]
    return [[frame["name"], frame["line"]] for frame in found]


def values(reference):
    return {one["name"]: one["value"] for one in debug("variables", variablesReference=reference)["variables"]}


def break_at(code, *lines):
    path = debug("dumpCell", code=code)["sourcePath"]
    debug("setBreakpoints", source={"path": path}, breakpoints=[{"line": line} for line in lines])


def start():
    debug("initialize", clientID="test", adapterID="", pathFormat="path", linesStartAt1=True, columnsStartAt1=True)
    debug("attach")
    event("initialized")


start()
helper = 'import * as jl from "jitlab";\nfunction scaled(x: jl.Tensor, by: number) {\n  const y = x.mul(by);\n  return y;\n}'
assert reply_to(client.execute(helper))["status"] == "ok"
loop = "let last = jl.ones([2]);\nfor (let i = 1; i < 3; i++) {\n  last = scaled(last, i);\n}\nlast.data().join(' ')"
break_at(loop, 3)
cell = client.execute(loop)
event("stopped")
seen["stop"] = frames()
debug("stepIn", threadId=1)
event("stopped")
seen["step"] = frames()
debug("evaluate", expression="by = 5", frameId=0, context="repl")
debug("next", threadId=1)
event("stopped")
scope = debug("scopes", frameId=0)["scopes"][0]
seen["scope"] = [scope["name"], values(scope["variablesReference"])]
break_at(loop)
debug("continue", threadId=1)
seen["loop"] = reply_to(cell)["status"]
notebook = debug("inspectVariables")["variables"]
seen["last"] = next(one["value"] for one in notebook if one["name"] == "last")

debug("setExceptionBreakpoints", filters=["all"])
cell = client.execute("throw new RangeError('on purpose')")
seen["exception"] = event("stopped")["reason"]
debug("continue", threadId=1)
seen["thrown"] = reply_to(cell)["ename"]
debug("setExceptionBreakpoints", filters=[])

spin = "let spins = 0;\nfor (;;) {\n  spins++;\n}"
break_at(spin, 3)
cell = client.execute(spin)
event("stopped")
manager.interrupt_kernel()
seen["interrupt"] = reply_to(cell)["ename"]

client.execute(spin)
event("stopped")
manager.restart_kernel(now=False)
client.wait_for_ready(timeout=60)
seen["restarted"] = debug("debugInfo")["isStarted"]
start()
break_at(spin, 3)
client.execute(spin)
event("stopped")
seen["again"] = frames()

client.stop_channels()
manager.shutdown_kernel(now=True)
print(json.dumps(seen))
