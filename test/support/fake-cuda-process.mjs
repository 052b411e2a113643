// Drives the cuda device over the libcuda of fake-cuda.c, which the loader finds first; prints what happened as JSON.
import { cudaFamily } from "../../dist/runtime/device/cuda/index.js";
import { allocate, memoryStats } from "../../dist/runtime/device/memory.js";
import { getDevice, listDevices } from "../../dist/runtime/launch/devices.js";

const failure = (action) => {
  try {
    action();
    return "nothing was thrown";
  } catch (error) {
    return { code: error.code, message: error.message };
  }
};

const device = getDevice("cuda:0");
const image = Buffer.from("FAKE kernel code\0");
const config = { grid: [13, 1, 1], block: [4, 1, 1], sharedBytes: 0 };
const said = {
  devices: listDevices(),
  name: device.name,
  same: getDevice("cuda") === device,
  arch: device.target.arch,
  memory: device.memory(),
};

const x = allocate(device, 400);
const out = allocate(device, 400);
device.write(x.pointer, new Uint8Array(Float32Array.from({ length: 100 }, (_, i) => i).buffer));
device.write(out.pointer, new Uint8Array(new Float32Array(100).fill(-1).buffer)); // the last element stays so
const block = device.createBlock(24);
block.i64[0] = BigInt(out.pointer);
block.i64[1] = BigInt(x.pointer);
block.u32[4] = 99;
const before = device.mark();
const code = device.load(image, "plus_one");
code.launch(block, config);
const after = device.mark();
device.synchronize();
const result = new Float32Array(100);
device.read(out.pointer, new Uint8Array(result.buffer));
said.result = [...result.subarray(95)];
said.ms = after.since(before);
device.copy(out.pointer + 4, out.pointer, 8);
device.read(out.pointer, new Uint8Array(result.buffer));
said.copied = [...result.subarray(0, 4)];
const { pointer, word } = device.hostWord();
block.i64[0] = BigInt(pointer);
block.u32[4] = 1;
said.cleared = word[0];
code.launch(block, config);
const reached = device.mark();
reached.wait();
reached.release();
said.word = new Float32Array(word.buffer)[0];
code.unload();

said.resources = device.resources(image, "plus_one");
said.full = failure(() => allocate(device, 2 ** 40));
const held = [];
said.filled = failure(() => {
  for (let i = 0; i < 100; i++) held.push(allocate(device, 2 ** 20));
});
held.length = 0;
said.afterwards = allocate(device, 2 ** 25).bytes;
said.reclaimed = memoryStats(device)[0].reclaimed > 30;

said.foreignImage = failure(() => device.load(Buffer.from("something else"), "plus_one"));
said.missing = failure(() => device.load(image, "missing"));
said.secondDevice = failure(() => getDevice("cuda:1"));
device.load(image, "reads_wildly").launch(block, config);
said.lost = failure(() => device.synchronize());
said.probe = cudaFamily.probe().devices.length;
console.log(JSON.stringify(said));
