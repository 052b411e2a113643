// jitlab/widgets over the wire: the messages that ipywidgets' front end sends and expects, in the order of its protocol.
import { beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../dist/kernel/protocol/message.js";
import { ofType, result, until, useKernel } from "../support/kernel.js";

const kernel = useKernel({ env: { JITLAB_DEVICE: "cpu" } });
const sent: Message[] = [];

beforeAll(async () => {
  kernel().onMessage((message, channel) => {
    if (channel === "iopub" && message.header.msg_type.startsWith("comm_")) sent.push(message);
  });
  const imported = await kernel().execute(
    'import { button, checkbox, column, dropdown, html, interact, output, picture, progress, row, slider, text } from "jitlab/widgets";\nimport * as jl from "jitlab"',
  );
  expect(imported.reply.content.status).toBe("ok");
});

const dataOf = (message: Message) => message.content.data as any;

/** Runs a cell and gives the widgets that it opened, by the order of their messages. */
async function opened(code: string) {
  const answer = await kernel().execute(code, { stopOnError: false });
  expect(answer.reply.content.evalue).toBeUndefined();
  return ofType(answer, "comm_open").map(({ content, metadata, buffers }) => {
    expect(content.target_name).toBe("jupyter.widget");
    expect(metadata).toMatchObject({ version: "2.1.0" });
    const { state, buffer_paths } = content.data as any;
    return { id: content.comm_id as string, state, buffer_paths, buffers };
  });
}

/** Sends what a front end sends and gives the messages that follow. */
async function tell(id: string, data: object): Promise<Message[]> {
  const from = sent.length;
  kernel().post({ type: "comm_msg", content: { comm_id: id, data } });
  await kernel().execute("0"); // comes after it
  return sent.slice(from);
}

const change = (id: string, state: object) => tell(id, { method: "update", state, buffer_paths: [] });

test("a control opens a comm with the names of ipywidgets' model and view", async () => {
  const controls = await opened(
    [
      'slider(0, 3, { description: "alpha" }); slider(0, 10, { step: 1 }); checkbox(true); text("a");',
      'dropdown(["a", "b"]); button("go"); html("<b>x</b>"); progress(10); output();',
    ].join("\n"),
  );
  expect(
    controls.map(({ state }) => [state._model_name, state._view_name, state._model_module_version]),
  ).toEqual([
    ["FloatSliderModel", "FloatSliderView", "2.0.0"],
    ["IntSliderModel", "IntSliderView", "2.0.0"],
    ["CheckboxModel", "CheckboxView", "2.0.0"],
    ["TextModel", "TextView", "2.0.0"],
    ["DropdownModel", "DropdownView", "2.0.0"],
    ["ButtonModel", "ButtonView", "2.0.0"],
    ["HTMLModel", "HTMLView", "2.0.0"],
    ["FloatProgressModel", "ProgressView", "2.0.0"],
    ["OutputModel", "OutputView", "1.0.0"],
  ]);
  expect(controls[0]!.state).toMatchObject({ min: 0, max: 3, step: 0.03, value: 1.5, description: "alpha" });
  expect(controls[1]!.state).toMatchObject({ min: 0, max: 10, step: 1, value: 5 });
  expect(controls[4]!.state).toMatchObject({ _options_labels: ["a", "b"], index: 0 });
});

test("a slider starts in the middle of its steps, without their rounding errors", async () => {
  const [control] = await opened("slider(1, 30);");
  expect(control?.state.value).toBe(15.5);
});

test("a widget shows by its view, and as a picture of itself elsewhere", async () => {
  const answer = await kernel().execute(
    'const shown = slider(0, 1, { description: "x", value: 0.25 });\nshown',
  );
  const [open] = ofType(answer, "comm_open");
  expect(ofType(answer, "execute_result")[0]!.content.data).toEqual({
    "application/vnd.jupyter.widget-view+json": {
      version_major: 2,
      version_minor: 0,
      model_id: open!.content.comm_id,
    },
    "text/html":
      '<div style="display: flex; align-items: center; gap: 8px; font-size: 13px">x <input type="range" disabled style="width: 200px" min="0" max="1" step="0.01" value="0.25"> 0.25</div>',
    "text/plain": "x: 0.25",
  });
});

test("every kind of widget has a picture of itself, with its text escaped", async () => {
  const stillOf = async (code: string) =>
    String((ofType(await kernel().execute(code), "execute_result")[0]!.content.data as any)["text/html"]);
  const controls = await stillOf(
    'column(row(checkbox(true, { description: "<on>" }), text("a\\"b")), dropdown(["a", "<b>"], { value: "<b>" }), button("go"), progress(4), html("<i>x</i>"), picture(new Uint8Array([1, 2])))',
  );
  for (const part of [
    '<input type="checkbox" disabled checked> &lt;on&gt;',
    'value="a&quot;b"',
    "<select disabled><option>&lt;b&gt;</option></select>",
    "<button disabled>go</button>",
    '<progress max="4" value="0"></progress>',
    "<i>x</i>",
    'src="data:image/png;base64,AQI="',
  ]) {
    expect(controls).toContain(part);
  }
  const shown = await stillOf("interact((a) => a > 1 ? 'large' : 'small', { a: [0, 4] })");
  expect(shown).toContain('type="range" disabled style="width: 200px" min="0" max="4"');
  expect(shown).toContain("<pre>&#39;large&#39;</pre>");
});

test("observe tells of the front end's changes; setting value tells the front end", async () => {
  const [control] = await opened(
    "const s = slider(0, 10); const seen: number[] = []; const stop = s.observe((v) => seen.push(v));",
  );
  await change(control!.id, { value: 7 });
  expect(result(await kernel().execute("[s.value, seen]"))).toBe("[ 7, [ 7 ] ]");
  const answer = await kernel().execute("s.value = 2; stop();");
  expect(dataOf(ofType(answer, "comm_msg")[0]!)).toEqual({
    method: "update",
    state: { value: 2 },
    buffer_paths: [],
  });
  await change(control!.id, { value: 3 });
  expect(result(await kernel().execute("[s.value, seen]"))).toBe("[ 3, [ 7 ] ]");
});

test("a dropdown has the values of its choices", async () => {
  const [control] = await opened("const d = dropdown({ one: 1, two: 2 }); d.value = 2;");
  expect(control!.state._options_labels).toEqual(["one", "two"]);
  expect(result(await kernel().execute("d.value"))).toBe("2");
  await change(control!.id, { index: 0 });
  expect(result(await kernel().execute("d.value"))).toBe("1");
});

test("a button calls its handler", async () => {
  const [control] = await opened('let clicks = 0; const b = button("go", () => clicks++);');
  await tell(control!.id, { method: "custom", content: { event: "click" } });
  expect(result(await kernel().execute("clicks"))).toBe("1");
});

test("boxes name their children; bytes travel beside the message", async () => {
  const [image, inner, outer] = await opened("row(column(picture(new Uint8Array([1, 2, 3]))));");
  expect(image!.buffer_paths).toEqual([["value"]]);
  expect([...image!.buffers[0]!]).toEqual([1, 2, 3]);
  expect(image!.state).not.toHaveProperty("value");
  expect(inner!.state.children).toEqual([`IPY_MODEL_${image!.id}`]);
  expect(outer!.state).toMatchObject({ _model_name: "HBoxModel", children: [`IPY_MODEL_${inner!.id}`] });
});

test("a front end that comes later gets one state, or all of them", async () => {
  const [control] = await opened("const late = slider(0, 4); const pixel = picture(new Uint8Array([9]));");
  const [answer] = await tell(control!.id, { method: "request_state" });
  expect(dataOf(answer!)).toMatchObject({
    method: "update",
    state: { value: 2, _model_name: "FloatSliderModel" },
  });
  const from = sent.length;
  kernel().post({
    type: "comm_open",
    content: { comm_id: "control", target_name: "jupyter.widget.control", data: {} },
    metadata: { version: "1.0.0" },
  });
  kernel().post({ type: "comm_msg", content: { comm_id: "control", data: { method: "request_states" } } });
  await until(() => sent.length > from);
  const all = sent[from]!;
  const { method, states, buffer_paths } = dataOf(all);
  expect(method).toBe("update_states");
  expect(states[control!.id]).toMatchObject({
    model_name: "FloatSliderModel",
    model_module: "@jupyter-widgets/controls",
    model_module_version: "2.0.0",
    state: { value: 2 },
  });
  expect(buffer_paths.length).toBe(all.buffers.length);
  expect([...all.buffers.at(-1)!]).toEqual([9]);
  await kernel().execute("late.close()");
  const { comms } = (await kernel().request("comm_info_request", { target_name: "jupyter.widget" })).reply
    .content as any;
  expect(Object.keys(comms)).not.toContain(control!.id);
});

describe("interact", () => {
  test("makes a control of each argument and shows the function's value", async () => {
    const made = await opened(
      'interact((a, b, c, d) => { console.log("with"); return [a, b, c, d]; }, { a: [0, 1], b: true, c: ["x", "y"], d: "t" });',
    );
    expect(made.map(({ state }) => state._model_name)).toEqual([
      ...["FloatSliderModel", "CheckboxModel", "DropdownModel", "TextModel"],
      ...["ImageModel", "OutputModel", "VBoxModel"],
    ]);
    const place = made[5]!.id;
    const answers = await change(made[0]!.id, { value: 0.25 });
    const last = answers.filter(({ content }) => content.comm_id === place).at(-1)!;
    expect(dataOf(last).state.outputs).toEqual([
      { output_type: "display_data", data: { "text/plain": "with" }, metadata: {} },
      { output_type: "display_data", data: { "text/plain": "[ 0.25, true, 'x', 't' ]" }, metadata: {} },
    ]);
  });

  test("shows an error in the place of the value, and goes on", async () => {
    const made = await opened(
      'interact((a) => { if (a > 0.5) throw new RangeError("too much"); return a; }, { a: [0, 1] });',
    );
    const outputs = async (value: number) =>
      dataOf((await change(made[0]!.id, { value })).find(({ content }) => content.comm_id === made[2]!.id)!)
        .state.outputs[0].data["text/plain"];
    expect(await outputs(0.75)).toBe("RangeError: too much");
    expect(await outputs(0.25)).toBe("0.25");
  });

  test("launches a functor with another captured parameter without compiling, and changes an image in its place", async () => {
    await kernel().execute(
      "%%kernel shade alpha=0.5\ntemplate <typename T> T shade(T x, T alpha) { return x * alpha; }",
    );
    const made = await opened(
      'import { image } from "jitlab/plot";\nconst ramp = jl.linspace(0, 1, 64 * 64).reshape([64, 64]);\ninteract((alpha) => image(shade(ramp, { alpha }), { min: 0, max: 1 }), { alpha: [0, 1] });',
    );
    const before = result(await kernel().execute('jl.timings().filter(({ op }) => op === "shade").length'));
    expect(before).toBe("1");
    for (const value of [0.1, 0.2, 0.9]) {
      const changes = await change(made[0]!.id, { value });
      const picture = changes.find(({ content }) => content.comm_id === made[1]!.id)!;
      expect(picture.buffers[0]!.subarray(1, 4).toString()).toBe("PNG");
    }
    expect(result(await kernel().execute('jl.timings().filter(({ op }) => op === "shade").length'))).toBe(
      before,
    );
  });

  test("is typed: a range gives numbers", async () => {
    const wrong = await kernel().execute("interact((a) => a.length, { a: [0, 1] })", { stopOnError: false });
    expect(wrong.reply.content.evalue).toContain("TS2339");
  });
});

test("a bad slider is refused in words", async () => {
  const answer = await kernel().execute("slider(3, 1)", { stopOnError: false });
  expect(answer.reply.content.evalue).toContain(
    "A slider goes from a number to a greater one by steps, not from 3 to 1",
  );
});

test("long work shows a bar once a front end has asked for widgets, and one line remains", async () => {
  const from = sent.length;
  const sizes = Array.from({ length: 30 }, (_, i) => `1${"0".repeat(i % 3)}`).join(",");
  const answer = await kernel().execute(`%bench --sizes ${sizes} Math.sqrt(n)`, { stopOnError: false });
  expect(answer.reply.content.evalue).toBeUndefined();
  const models = sent.slice(from).filter(({ header }) => header.msg_type === "comm_open");
  expect(models.map((message) => dataOf(message).state._model_name)).toEqual([
    ...["FloatProgressModel", "HTMLModel", "HBoxModel"],
  ]);
  expect(sent.slice(from).filter(({ header }) => header.msg_type === "comm_close")).toHaveLength(3);
  const [bar] = ofType(answer, "display_data");
  const last = ofType(answer, "update_display_data").at(-1)!;
  expect(bar!.content.data).toHaveProperty(["application/vnd.jupyter.widget-view+json", "model_id"]);
  expect(Object.keys(last.content.data as object)).toEqual(["text/html", "text/plain"]);
  expect((last.content.data as any)["text/plain"]).toMatch(/^30 of 30 in \d/);
});
