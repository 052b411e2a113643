// Names beside points: those of curves beside their last points, and the labels of single ones, apart from each other.
import { type LinePanel, xValues, yValues } from "./figure.js";
import type { Frame } from "./layout.js";
import { scaleOf } from "./scale.js";

const apart = 13;
/** A label is as wide as this at most, where others are kept away from it. */
const labelWidth = 130;

/** A curve's name and its distance from the top of a panel of this height, in pixels. */
export interface EndName {
  readonly name: string;
  readonly color: string;
  readonly y: number;
}

/** The names of curves, from the top. */
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

/** A label, its point, and where its text is. */
export interface PointLabel {
  readonly text: string;
  readonly point: readonly [x: number, y: number];
  /** The text's distance from the point, in pixels, to the right and down. */
  readonly right: number;
  readonly down: number;
  /** The side of the text that is near the point. */
  readonly anchor: "start" | "end";
}

/** The labels of points, from the top; below each other where they would overlap. */
export function pointLabels(panel: LinePanel, frame: Frame): PointLabel[] {
  const { at: across } = scaleOf(panel.x, xValues(panel), frame.left, frame.left + frame.width);
  const { at: upwards } = scaleOf(panel.y, yValues(panel), frame.top + frame.height, frame.top);
  const labels = panel.series.flatMap(({ points, labels = [], marks }) =>
    points.flatMap((point, i) => {
      const text = labels[i] ?? "";
      if (text === "") return [];
      const [x, y] = [across(point[0]), upwards(point[1])];
      // The label of an area is inside of its lower left corner.
      return [{ text, point, x, y, at: marks === "area" ? y - 10 : y }];
    }),
  );
  const placed: { x: number; at: number }[] = [];
  return labels
    .sort((a, b) => a.at - b.at)
    .map(({ text, point, x, y, at: wanted }) => {
      const isRight = x > frame.left + 0.75 * frame.width;
      const middle = x + (isRight ? -1 : 1) * (labelWidth / 2);
      let at = wanted;
      for (const other of placed)
        if (Math.abs(other.x - middle) < labelWidth && at < other.at + apart) at = other.at + apart;
      placed.push({ x: middle, at });
      return {
        ...{ text, point, right: isRight ? -9 : 9, down: at - y },
        anchor: isRight ? "end" : "start",
      } as const;
    });
}
