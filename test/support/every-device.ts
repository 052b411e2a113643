import { device } from "./device.js";
import { drawn } from "./draw.js";

/** The devices of tests that run on each of them: the cpu and wasm, or on a machine with a GPU the cpu and that. */
export const everyDevice: readonly string[] = ["cpu", device.startsWith("cuda") ? device : "wasm"];

/** The cases of a list that a device gets: a sixth on wasm, where the text of each is the same and its compiler takes longer. */
export function casesOn<T>(device: string, list: readonly T[]): readonly T[] {
  return device === "wasm" ? drawn(list, Math.ceil(list.length / 6)) : list;
}
