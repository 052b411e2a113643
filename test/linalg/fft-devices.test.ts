// jl.fft by compiled kernels, on every device: a length of small factors, one without, and strided operands.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { everyDevice } from "../support/every-device.js";

describe.each(everyDevice)("on %s", (device) => {
  test.each([24, 17])("a length of %i, along the first and the last dimension", (length) => {
    const angles = jl.arange(0, length, 1, { dtype: "float64", device }).mul((2 * Math.PI) / length);
    // One wave of each frequency, of which the transform knows one element.
    const waves = jl.stack([1, 2, 5].map((frequency) => angles.mul(frequency).cos()));
    const half = Math.floor(length / 2) + 1;
    const wanted = jl.zeros([3, half], { dtype: "complex128", device });
    for (const [row, frequency] of [1, 2, 5].entries())
      wanted
        .select(0, row)
        .narrow(0, frequency, 1)
        .fill_(length / 2);
    for (const x of [waves, waves.T.contiguous().T]) {
      const found = jl.fft.rfft(x);
      expect(found.device.name).toBe(waves.device.name);
      expect(found.sub(wanted).abs().max().item()).toBeLessThan(1e-14 * length);
      expect(jl.fft.irfft(found, { n: length }).sub(x).abs().max().item()).toBeLessThan(1e-14);
      const along = jl.fft.fft(x.T, { dim: 0 }).narrow(0, 0, half).T;
      expect(along.sub(wanted).abs().max().item()).toBeLessThan(1e-14 * length);
    }
  });
});
