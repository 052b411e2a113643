// The lengths that passes transform directly, and the roots of unity that they multiply by.
import type { DType } from "../base/dtype.js";
import { RecentValues } from "../base/recent-values.js";
import type { Device } from "../device/device.js";
import { atOnce } from "../launch/sink.js";
import { tensor } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";

const radixes = [8, 4, 2, 3, 5, 7, 11, 13] as const;

/** The factors of a length, each a radix of a pass; undefined if one would be larger than 13. */
export function factorsOf(length: number): readonly number[] | undefined {
  const factors: number[] = [];
  let rest = length;
  for (const radix of radixes) {
    for (; rest % radix === 0 && rest > 1; rest /= radix) factors.push(radix);
  }
  return rest === 1 ? factors : undefined;
}

/** The shortest length from `least` on with the factors 2, 3 and 5 alone. */
export function smoothLength(least: number): number {
  let best = 2 ** Math.ceil(Math.log2(Math.max(1, least)));
  for (let fives = 1; fives < best; fives *= 5) {
    for (let odd = fives; odd < best; odd *= 3) {
      const length = odd * 2 ** Math.max(0, Math.ceil(Math.log2(least / odd)));
      if (length >= least && length < best) best = length;
    }
  }
  return best;
}

/** Writes `exp(-2 pi i numerator / length)` as a pair; the angle is at most an eighth of a turn, so few digits are lost. */
export function writeRoot(to: Float64Array, at: number, numerator: number, length: number): void {
  const quarters = Math.round((4 * numerator) / length);
  const angle = ((4 * numerator - quarters * length) / length) * (Math.PI / 2);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const turned = [
    [cosine, sine],
    [-sine, cosine],
    [-cosine, -sine],
    [sine, -cosine],
  ] as const;
  const [re, im] = turned[quarters % 4] as (typeof turned)[number];
  to[at] = re;
  to[at + 1] = -im;
}

const tables = new RecentValues<Tensor>(16);

/** A kept table on a device, which is not a part of the program that is being recorded, so that replays find it. */
export function tableOf(key: string, dtype: DType, device: Device, make: () => Tensor): Tensor {
  return tables.get(`${key} ${dtype.name} ${device.id}`, () => atOnce(() => make().to(dtype.name)));
}

/** A device's table of the roots `exp(-2 pi i k / length)`, in order. */
export function rootsOf(length: number, dtype: DType, device: Device): Tensor {
  return tableOf(`roots ${length}`, dtype, device, () => {
    const roots = new Float64Array(2 * length);
    for (let k = 0; k < length; k++) writeRoot(roots, 2 * k, k, length);
    return tensor(roots, { dtype: dtype.name, device: device.name });
  });
}
