// Copies between host and device in parts: JavaScript has no array of more than 2^32 bytes, but of as many wider elements.
import { beforeAll, expect, test } from "vitest";
import {
  copyThroughHost,
  elementsToDevice,
  elementsToHost,
  readsSoFar,
  uploadsSoFar,
} from "../../dist/runtime/device/host-copy.js";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);

const numbers = Float64Array.from({ length: 11 }, (_, i) => i / 3);
// Parts that divide the elements evenly, that do not, and one that holds all.
const parts = [8, 24, 88, 1000];

test.each(parts)("elements in parts of %i bytes", (most) => {
  const x = jl.zeros([13], { dtype: "float64" });
  const [uploads, reads] = [uploadsSoFar(), readsSoFar()];
  elementsToDevice(x.device, x.pointer + 8, numbers, most);
  expect(uploadsSoFar() - uploads).toBe(Math.ceil(88 / most));
  const read = new Float64Array(13);
  elementsToHost(x.device, x.pointer + 8, read.subarray(1, 12), most);
  expect(readsSoFar() - reads).toBe(Math.ceil(88 / most));
  expect([...read]).toEqual([0, ...numbers, 0]);
  expect([...x.data()]).toEqual([0, ...numbers, 0]);
});

test.each(parts)("from one tensor to another in parts of %i bytes", (most) => {
  const [x, y] = [jl.tensor(numbers), jl.zeros([12], { dtype: "float64" })];
  copyThroughHost(y, x, 88, most);
  expect([...y.data()]).toEqual([...numbers, 0]);
});
