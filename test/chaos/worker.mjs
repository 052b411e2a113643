// One of many processes that use the same kernels at once. Its argument is JSON: { kernels, seed }; it uses all kernels in
// an order of its own and prints what it got.

import { getDevice } from "../../dist/runtime/launch/devices.js";
import { obtain } from "../../dist/runtime/launch/obtain.js";

const { kernels, seed } = JSON.parse(process.argv[2]);
const device = getDevice("cpu");
const block = device.createBlock(8);
const out = device.allocator.allocate(16);
block.i64[0] = BigInt(out);

let state = seed;
const order = kernels
  .map((name) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return { name, place: state };
  })
  .sort((a, b) => a.place - b.place);
const wrong = [];
let compiled = 0;
for (const { name } of order) {
  const request = {
    source: `name ${name}\n`,
    symbol: "kernel",
    op: name,
    variant: "contiguous",
    dtypes: ["uint8"],
    target: device.target,
  };
  const { code, origin } = obtain(request, device);
  code.launch(block, { grid: [1, 1, 1], block: [1, 1, 1], sharedBytes: 0 });
  code.unload();
  const result = new Uint8Array(16);
  device.read(out, result);
  const got = Buffer.from(result).toString();
  if (got !== name) wrong.push(`${name} gave ${got} (${origin})`);
  if (origin === "compiled") compiled++;
}
console.log(JSON.stringify({ wrong, compiled, used: order.length }));
