// %%compare --devices: one cell on several devices, with the notebook's tensors copied there.
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeMagicRuntime } from "../../dist/magics/child/magic-runtime.js";
import * as jl from "../../dist/runtime/index.js";
import { FakeHost } from "../support/magic-host.js";

let host: FakeHost;
let magic: ReturnType<typeof makeMagicRuntime>;

beforeEach(() => {
  host = new FakeHost();
  magic = makeMagicRuntime(host, jl as any);
  jl.setDevice("cpu");
});
afterEach(() => expect(jl.getDevice()).toBe("cpu"));

/** Runs a cell on these devices; its variables are the host's. */
function compared(names: string[], body: (locals: any) => Record<string, unknown>): Promise<void> {
  return host.cell(() => magic.compareDevices(names, () => body(host.locals)));
}

test("the same seed and copies of the variables give equal bits", async () => {
  host.locals.x = jl.arange(6, { dtype: "float32" }).view([2, 3]);
  await compared(["cpu", "wasm"], ({ x }) => ({ y: x.T.mul(jl.rand([3, 2])), same: x, n: 3 }));
  expect(host.text()).toMatchInlineSnapshot(`
    "result                wasm against cpu
    y       float32[3,2]  equal bits
    same    float32[2,3]  equal bits

    1 name more that are not tensors."
  `);
});

test("a difference is shown in units in the last place, with its index and the first operation that differs", async () => {
  host.locals.x = jl.ones([4]);
  const last = () => jl.tensor([0, 0, jl.getDevice() === "cpu" ? 0 : 2 ** -23, 0]);
  await compared(["cpu", "wasm", "cpu"], ({ x }) => {
    const same = x.mul(2).sub(jl.rand([4]));
    x.narrow(0, 1, 2).add_(last().narrow(0, 1, 2));
    return { y: x.neg(), z: same };
  });
  expect(host.text().replace(/test\.ts:[\d:]+/g, "test.ts:L:C")).toMatchInlineSnapshot(`
    "result              wasm against cpu                     cpu against cpu
    y       float32[4]  1 of 4 differ, at most 1 ULP at [2]  equal bits
    z       float32[4]  equal bits                           equal bits

    The first operation that differs

                      operation                                      place
    wasm against cpu  4 add(float32[2], float32[2]) into float32[2]  compare-devices.test.ts:L:C  1 of 2 differ, at most 1 ULP at [1]"
  `);
});

test("another sequence of operations is shown as one, and none where values of the host differ", async () => {
  host.locals.x = jl.ones([4]);
  await compared(["cpu", "wasm"], ({ x }) => ({ y: jl.getDevice() === "cpu" ? x.sqrt() : x.add(1) }));
  expect(host.text()).toMatch(
    /wasm against cpu {2}1 add\(float32\[4\], float32\) .* instead of sqrt\(float32\[4\]\) of compare-devices/,
  );
  await compared(["cpu", "wasm"], () => ({ y: jl.tensor([jl.getDevice() === "cpu" ? 1 : 2]) }));
  expect(host.text()).toContain("none of the first 0 operations");
});

test("writes, views and assignments start from the same values on each device, and are undone", async () => {
  const locals: Record<string, any> = host.locals;
  const base = jl.zeros([4]);
  Object.assign(locals, { base, part: base.narrow(0, 1, 2), state: { list: [base] }, w: jl.ones([2]) });
  const step = () => void locals.state.list[0].add_(1);
  await compared(["cpu", "wasm", "cpu"], (own) => {
    step();
    own.part.add_(10);
    own.w = own.w.add(1);
    return { all: base.clone(), w: own.w, part: own.part };
  });
  expect(host.text().match(/equal bits/g)).toHaveLength(6);
  expect(base.toArray()).toEqual([0, 0, 0, 0]);
  expect(locals.w.toArray()).toEqual([1, 1]);
  expect(locals.w.device.name).toBe("cpu");
  expect(locals.part.storage).toBe(base.storage);
});

test("what functions and methods read of their own cell is copied too, but not what nothing reads", async () => {
  const { locals } = host;
  const [own, w, unread] = [jl.ones([2]), jl.ones([2]), jl.ones([2])];
  const owners: unknown[] = [];
  await compared(["wasm", "cpu"], () => ({ y: jl.ones([2]), z: owners.push(unread.device.name) }));
  Object.assign(locals, { own, w, unread, add: jl.compile((x: jl.Tensor) => x.add(own)) });
  await compared(["wasm", "cpu"], ({ w }) => ({ y: w.add(1), z: owners.push(unread.device.name) }));
  expect(owners).toEqual(["cpu", "cpu", "cpu", "cpu"]);
  locals.layers = [{ add: locals.add }];
  for (const read of ["add", "layers"]) {
    await compared(["cpu", "wasm"], (all) => {
      const { add } = read === "add" ? all : all.layers[0];
      return { y: add(jl.ones([2])) };
    });
  }
  expect(host.text().match(/equal bits/g)).toHaveLength(4);
});

test("a cell that throws leaves the variables as they were", async () => {
  host.locals.x = jl.ones([2]);
  const failing = compared(["wasm", "cpu"], ({ x }) => {
    x.fill_(3);
    throw new Error("stop");
  });
  await expect(failing).rejects.toThrow("stop");
  expect((host.locals.x as jl.Tensor).toString()).toBe("tensor([1., 1.], shape [2], float32, cpu)");
  expect(Object.getOwnPropertyDescriptor(host.locals, "x")).toHaveProperty("value");
});

test("results on another device, and unknown devices, are refused by name", async () => {
  const hidden = jl.ones([2]);
  await expect(compared(["cpu", "wasm"], () => ({ y: hidden.add(1) }))).rejects.toThrow(
    "%%compare: a result of float32[2] is on cpu while the cell runs on wasm. Leave out { device } in the cell",
  );
  await expect(compared(["cpu", "wasm:7"], () => ({}))).rejects.toThrow(
    /^%%compare: the device wasm:7 cannot be used: .* Or leave it out of --devices\.$/,
  );
});
