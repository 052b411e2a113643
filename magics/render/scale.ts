// Where the values of an axis lie in a picture.
import { type Axis, type Ticks, ticksOf } from "./figure.js";

/** The pixel of a value. */
export type Position = (value: number) => number;

/** An axis from one pixel to another. */
export function scaleOf(
  axis: Axis,
  values: readonly number[],
  from: number,
  to: number,
): Ticks & { readonly at: Position } {
  const ticks = ticksOf(axis, values);
  const project =
    axis.scale === "log" ? (value: number) => Math.log10(Math.max(value, ticks.min)) : (v: number) => v;
  const [low, high] = [project(ticks.min), project(ticks.max)];
  const at: Position = (value) => from + ((project(value) - low) / (high - low)) * (to - from);
  return { ...ticks, at };
}
