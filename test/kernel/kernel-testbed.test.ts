// The cases by which runtimed/kernel-testbed compares Jupyter kernels (26, and `iopub_welcome` since), with their names and
// tiers, each as strict as the protocol; every message is checked against the specification as well.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../dist/kernel/protocol/message.js";
import {
  attachChecked,
  type CheckedClient,
  ofType,
  outputTypes,
  printed,
  result,
  startChecked,
} from "../support/kernel.js";

let checked: CheckedClient;
const kernel = () => checked.client;

beforeAll(async () => {
  checked = await startChecked();
});
afterAll(() => checked.client.shutdown());

const states = (published: readonly Message[]) =>
  published.flatMap(({ header, content }) => (header.msg_type === "status" ? [content.execution_state] : []));

describe("tier 1: basic protocol", () => {
  it("heartbeat_responds", async () => {
    expect(await kernel().heartbeat()).toBeGreaterThan(0);
  });

  it("iopub_welcome", async () => {
    const other = new Promise<Message>((resolve) => {
      const stop = kernel().onMessage((message) => {
        if (message.header.msg_type !== "iopub_welcome") return;
        stop();
        resolve(message);
      });
    });
    const late = await attachChecked(kernel().connection);
    expect((await other).content).toEqual({ subscription: "" });
    late.close();
  });

  it("kernel_info_reply_valid", async () => {
    const { reply } = await kernel().request("kernel_info_request");
    expect(reply.header.msg_type).toBe("kernel_info_reply");
    expect(reply.content.status).toBe("ok");
  });

  it("kernel_info_has_language_info", async () => {
    const { language_info } = await kernel().kernelInfo();
    expect(language_info).toMatchObject({ name: "typescript", file_extension: ".ts" });
  });

  it("kernel_info_has_protocol_version", async () => {
    expect((await kernel().kernelInfo()).protocol_version).toBe("5.5");
  });

  it("execute_stdout", async () => {
    const answer = await kernel().execute("console.log('hello')");
    expect(printed(answer, "stdout")).toBe("hello\n");
    expect(printed(answer, "stderr")).toBe("");
  });

  it("execute_stderr", async () => {
    const answer = await kernel().execute("console.error('error')");
    expect(printed(answer, "stderr")).toBe("error\n");
    expect(printed(answer, "stdout")).toBe("");
  });

  it("execute_reply_ok", async () => {
    const { reply } = await kernel().execute("const x = 1");
    expect(reply.header.msg_type).toBe("execute_reply");
    expect(reply.content.status).toBe("ok");
  });

  it("status_busy_idle_lifecycle", async () => {
    const { published } = await kernel().execute("const x = 1");
    expect(states(published)).toEqual(["busy", "idle"]);
    expect(published.map(({ header }) => header.msg_type)).toEqual(["status", "execute_input", "status"]);
  });

  it("execute_input_broadcast", async () => {
    const answer = await kernel().execute("const x = 1");
    const { execution_count } = answer.reply.content;
    expect(ofType(answer, "execute_input").map(({ content }) => content)).toEqual([
      { code: "const x = 1", execution_count },
    ]);
  });
});

describe("tier 2: interactive features", () => {
  it("complete_request", async () => {
    await kernel().execute("const testVariableForCompletion = 42");
    const prefix = "testVariableFor";
    expect(await kernel().complete(prefix)).toMatchObject({
      status: "ok",
      matches: ["testVariableForCompletion"],
      cursor_start: 0,
      cursor_end: prefix.length,
    });
  });

  it("inspect_request", async () => {
    const { found, data } = await kernel().inspect("testVariableForCompletion");
    expect(found).toBe(true);
    expect((data as Record<string, string>)["text/plain"]).toBe("const testVariableForCompletion: 42");
  });

  it("is_complete_complete", async () => {
    expect((await kernel().isComplete("const x = 1")).status).toBe("complete");
  });

  it("is_complete_incomplete", async () => {
    expect(await kernel().isComplete("const x = {")).toMatchObject({ status: "incomplete", indent: "  " });
  });

  it("history_request", async () => {
    await kernel().execute("'for the history'");
    const { history } = await kernel().history({ hist_access_type: "tail", n: 1 });
    expect((history as unknown[][]).map(([, , input]) => input)).toEqual(["'for the history'"]);
  });

  it("comm_info_request", async () => {
    const { reply } = await kernel().request("comm_info_request", {});
    expect(reply.header.msg_type).toBe("comm_info_reply");
    expect(reply.content).toEqual({ status: "ok", comms: {} });
  });

  it("error_handling", async () => {
    const answer = await kernel().execute("function function");
    expect(outputTypes(answer)).toEqual(["execute_input", "error"]);
    const { ename, evalue, traceback } = ofType(answer, "error")[0]!.content;
    expect(ename).toBe("TypeScriptError");
    expect(answer.reply.content).toMatchObject({ status: "error", ename, evalue, traceback });
  });
});

describe("tier 3: rich output", () => {
  const bold = { "text/html": "<b>bold</b>" };

  it("display_data", async () => {
    const answer = await kernel().execute(`display(${JSON.stringify(bold)}, { raw: true });`);
    expect(ofType(answer, "display_data").map(({ content }) => content.data)).toEqual([bold]);
  });

  it("update_display_data", async () => {
    const answer = await kernel().execute(
      "const shown = display(html`<b>initial</b>`); shown.update(html`<b>updated</b>`);",
    );
    const [initial] = ofType(answer, "display_data");
    const [updated] = ofType(answer, "update_display_data");
    expect(updated!.content.data).toEqual({ "text/html": "<b>updated</b>" });
    expect(updated!.content.transient).toEqual(initial!.content.transient);
  });

  it("execute_result", async () => {
    const answer = await kernel().execute("1 + 1");
    expect(result(answer)).toBe("2");
    expect(ofType(answer, "execute_result")[0]!.content.execution_count).toBe(
      answer.reply.content.execution_count,
    );
  });

  it("rich_execute_result", async () => {
    const answer = await kernel().execute("html`<b>bold</b>`");
    expect(ofType(answer, "execute_result").map(({ content }) => content.data)).toEqual([bold]);
  });
});

describe("tier 4: advanced features", () => {
  it("stdin_input_request", async () => {
    const asked: unknown[] = [];
    const answer = await kernel().execute("prompt('Enter: ')", {
      onInput: (request) => {
        asked.push(request);
        return '"test_input_42"';
      },
    });
    expect(asked).toEqual([{ prompt: "Enter: ", password: false }]);
    expect(result(answer)).toBe("'\"test_input_42\"'");
  });

  it("comms_lifecycle", async () => {
    const closed = new Promise((resolve) => {
      const stop = kernel().onMessage(({ header, content }) => {
        if (header.msg_type !== "comm_close") return;
        stop();
        resolve(content.comm_id);
      });
    });
    const content = { comm_id: "unheard-of", target_name: "jupyter.kernel_testbed.test", data: {} };
    kernel().post({ type: "comm_open", content });
    expect(await closed).toBe("unheard-of");
    kernel().post({ type: "comm_close", content: { comm_id: "unheard-of", data: {} } });
    expect(result(await kernel().execute("1 + 1"))).toBe("2");
    expect((await kernel().request("comm_info_request", {})).reply.content.comms).toEqual({});
  });

  it("interrupt_request", async () => {
    const { reply, published } = await kernel().request("interrupt_request", {}, "control");
    expect(reply.header.msg_type).toBe("interrupt_reply");
    expect(reply.content).toEqual({ status: "ok" });
    expect(states(published)).toEqual(["busy", "idle"]);
  });

  it("execution_count_increments", async () => {
    const counts: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      counts.push((await kernel().execute("const x = 1")).reply.content.execution_count as number);
    }
    expect(counts).toEqual([counts[0], counts[0]! + 1, counts[0]! + 2]);
  });

  it("parent_header_correlation", async () => {
    const { id, answer } = kernel().sendExecute("console.log('hello'); display(1); 2");
    const { reply, published } = await answer;
    expect(new Set([reply, ...published].map(({ parent }) => parent.msg_id))).toEqual(new Set([id]));
    expect(published).toHaveLength(6);
  });

  it("shutdown_reply", async () => {
    const { client, broken } = await startChecked();
    const { reply } = await client.request("shutdown_request", { restart: false }, "control");
    expect(reply.content).toEqual({ status: "ok", restart: false });
    expect(await client.kernel!.ended).toBe("The kernel ended with status 0.");
    client.close();
    expect(broken).toEqual([]);
  });
});
