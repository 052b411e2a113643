// Copies between two GPUs of fake-cuda.c; prints the elements that arrive.

import { copyToDevice } from "../../dist/runtime/device/host-copy.js";
import { allocate } from "../../dist/runtime/device/memory.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";

const [first, second] = [getDevice("cuda:0"), getDevice("cuda:1")];
const x = allocate(first, 8);
copyToDevice(first, x.pointer, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
const tensor = new jl.Tensor(x, 0, [8], [1], jl.dtypes.uint8);
const there = tensor.to("cuda:1");
const again = tensor.to("cuda:1").to("cuda:0");
const { description } = jl.devices().find(({ name }) => name === "cuda:0");
console.log(JSON.stringify([description, there.device === second, [...there.data()], [...again.data()]]));
