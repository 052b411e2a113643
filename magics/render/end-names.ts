// Names of curves beside their last points, apart from each other.
import { type LinePanel, yValues } from "./figure.js";
import { scaleOf } from "./scale.js";

const apart = 13;

/** A curve's name and its distance from the top of a panel of this height, in pixels. */
export interface EndName {
  readonly name: string;
  readonly color: string;
  readonly y: number;
}

/** The names from the top. */
export function endNames(panel: LinePanel, height: number): EndName[] {
  const { min, at } = scaleOf(panel.y, yValues(panel), height, 0);
  const names = panel.series
    .map(({ name, color, points }) => ({ name, color, y: at(points.at(-1)?.[1] ?? min) }))
    .sort((a, b) => a.y - b.y);
  for (const [i, one] of names.entries()) {
    if (i > 0) one.y = Math.max(one.y, (names[i - 1]?.y ?? 0) + apart);
  }
  // From the bottom up again, where the last ones were moved out of the panel.
  for (let i = names.length - 1, most = height; i >= 0; i--, most -= apart) {
    const one = names[i];
    if (one && one.y > most) one.y = most;
  }
  return names;
}
