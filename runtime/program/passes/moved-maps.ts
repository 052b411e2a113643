// Maps that compute their results in the order of a view.

import { broadcastStrides, sameNumbers } from "../../geometry/layout.js";
import { throughView } from "../../geometry/through-view.js";
import { isMap, type MapNode, type Node, Value, windowOf } from "../operations/ir.js";
import type { ResultClass } from "../operations/slot.js";
import { sameWindow, type Window, windowAt } from "../operations/window.js";

/**
 * The maps that compute what `view` shows of the result of the first of them. The others, in descending order, compute only
 * operands of earlier ones. Undefined if an operand cannot be read through the view.
 */
export function movedMaps(maps: readonly MapNode[], view: Window): readonly MapNode[] | undefined {
  const strides = strideOrder(view);
  const results = new Map(maps.map((node) => [resultOf(node), resultLike(node, view.shape, strides)]));
  const views = new Map([[resultOf(maps[0] as MapNode), view]]);
  const moved: MapNode[] = [];
  for (const node of maps) {
    const windows = windowsThrough(node, views.get(resultOf(node)) as Window);
    if (windows === undefined) return undefined;
    let { slot, values } = node as MapNode;
    for (const [i, window] of windows.entries()) {
      const value = values[i];
      if (!value || !window) continue;
      const known = views.get(value);
      if (known && !sameWindow(known, window)) return undefined;
      const result = results.get(value);
      if (result) views.set(value, window);
      slot = withOperand(slot, i, result ? wholeOf(result, window) : window);
    }
    const result = results.get(resultOf(node)) as Value;
    values = values.map((value) => (value && results.get(value)) ?? value);
    const [own] = slot.results as readonly [ResultClass];
    const whole = { ...own, bytes: result.bytes, window: wholeOf(result, own.window) };
    const moving = {
      ...node,
      values,
      made: [result],
      slot: { ...slot, domain: view.shape, results: [whole] },
    };
    result.node = moving;
    moved.push(moving);
  }
  return moved;
}

/** The value whose elements a moved map's result has. */
export function originOf(value: Value): Value {
  return value.replaces ?? value;
}

/** A node that reads all of `result` where it saw `value` through a view. */
export function readingWhole(node: Node, value: Value, view: Window, result: Value): Node {
  let { slot } = node;
  const values = node.values.map((read, i) => {
    const window = windowOf(node, i);
    if (read !== value || !window || !sameWindow(seenBy(node, window), view)) return read;
    slot = withOperand(slot, i, wholeOf(result, window));
    return result;
  });
  return { ...node, slot, values } as Node;
}

/** The view through which a node sees an operand: a map repeats elements of one that is smaller than its results. */
export function seenBy(node: Node, window: Window): Window {
  const { domain } = isMap(node) ? node.slot : { domain: window.shape };
  if (sameNumbers(window.shape, domain)) return window;
  return windowAt(
    window.dtype,
    window.offset,
    domain,
    broadcastStrides(window.shape, window.strides, domain),
  );
}

function resultOf({ made }: MapNode): Value {
  return made[0] as Value;
}

/** The windows on a map's operands for the elements of its result that a view shows. */
function windowsThrough(node: MapNode, view: Window): readonly (Window | undefined)[] | undefined {
  const { shape = [], strides = [] } = resultOf(node);
  const windows = node.values.map((_, i) => windowOf(node, i));
  const read = windows.filter((window) => window !== undefined);
  const operands = read.map((window) => broadcastStrides(window.shape, window.strides, shape));
  const seen = throughView({ shape, strides }, view, operands);
  if (seen === undefined) return undefined;
  return windows.map((window) => {
    const shown = window && seen[read.indexOf(window)];
    return window && shown && windowAt(window.dtype, window.offset + shown.offset, view.shape, shown.strides);
  });
}

/** The value of a map in another order. */
function resultLike(node: MapNode, shape: readonly number[], strides: readonly number[]): Value {
  const value = resultOf(node);
  const [{ window }] = node.slot.results as readonly [ResultClass];
  const bytes = shape.reduce((product, extent) => product * extent, window.dtype.bytes);
  const result = new Value(value.device, bytes, shape, strides);
  result.replaces = originOf(value);
  return result;
}

function wholeOf({ shape = [], strides = [] }: Value, { dtype }: Window): Window {
  return windowAt(dtype, 0, shape, strides);
}

/** Strides of dense elements in a window's order in memory, which a reduction's order depends on. */
function strideOrder({ shape, strides }: Window): readonly number[] {
  const order = shape.map((_, d) => d).sort((a, b) => far(strides[a]) - far(strides[b]) || b - a);
  const dense = new Array<number>(shape.length);
  let step = 1;
  for (const d of order) {
    dense[d] = step;
    step *= shape[d] as number;
  }
  return dense;
}

function far(stride: number | undefined): number {
  return Math.abs(stride ?? 0);
}

function withOperand<S extends Node["slot"]>(slot: S, i: number, window: Window): S {
  const operands = slot.operands.map((operand, at) => (at === i ? { ...operand, window } : operand));
  return { ...slot, operands };
}
