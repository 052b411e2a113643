// The cost of a launch without the library: the kernel's function called through the same FFI, with arguments written once.
// The lower bound of every host cost.

import { openShared } from "../runtime/device/cpu/libc.js";
import { driver, type Out } from "../runtime/device/cuda/driver.js";
import type { Device } from "../runtime/device/device.js";
import { ffi } from "../runtime/device/ffi.js";
import type { DeviceKind } from "../runtime/device/kinds.js";
import { fetchCode } from "../runtime/launch/obtain.js";

const symbol = "raw_add";
const defaultStream = 0;
// cuda.h: markers in the list that `extra` points at.
const [bufferPointer, bufferSize, end] = [1, 2, 0];

/** A call that launches an addition of one float32 at three addresses: the sum's and the operands'. */
export function rawLaunch(device: Device, addresses: readonly [number, number, number]): () => void {
  const make = makers[device.target.kind];
  if (!make) throw new Error(`There is no raw launch for ${device.name}.`);
  return make(device, addresses);
}

type Maker = (device: Device, addresses: readonly number[]) => () => void;

const makers: Partial<Record<DeviceKind, Maker>> = { cuda: cudaLaunch, cpu: cpuLaunch };

function cudaLaunch(device: Device, addresses: readonly number[]): () => void {
  const source = `extern "C" __global__ void ${symbol}(float* out, const float* a, const float* b) { *out = *a + *b; }`;
  const cuda = driver();
  const module: Out = [0];
  const fn: Out = [0];
  expectSuccess(cuda.cuModuleLoadData(module, compiled(device, source)));
  expectSuccess(cuda.cuModuleGetFunction(fn, module[0], symbol));
  // Three arguments, their size, and the list that points at both.
  const address = Number(ffi().alloc("uint64_t", 9));
  const bytes = addresses.length * 8;
  const list = [bufferPointer, address, bufferSize, address + bytes, end];
  new BigUint64Array(ffi().view(address, 9 * 8)).set([...addresses, bytes, ...list].map(BigInt));
  const extra = address + bytes + 8;
  const kernel = fn[0];
  const launch = () => cuda.cuLaunchKernel(kernel, 1, 1, 1, 128, 1, 1, 0, defaultStream, 0, extra);
  expectSuccess(launch());
  return launch;
}

function expectSuccess(result: number): void {
  if (result !== 0) throw new Error(`The driver refused the raw launch with error ${result}.`);
}

function cpuLaunch(device: Device, addresses: readonly number[]): () => void {
  const source = `extern "C" void ${symbol}(float** args, long long, long long) { *args[0] = *args[1] + *args[2]; }`;
  const type = ffi().proto("void", ["uintptr_t", "int64_t", "int64_t"]);
  const fn = ffi().decode(openShared(compiled(device, source)).address(symbol), type);
  const block = device.createBlock(addresses.length * 8);
  block.i64.set(addresses.map(BigInt));
  const { address } = block;
  return () => fn(address, 0, 1);
}

function compiled(device: Device, source: string): Uint8Array {
  const { target } = device;
  return fetchCode({ source, symbol, op: symbol, variant: "bench", dtypes: [], target }).binary;
}
