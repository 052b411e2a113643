// Functions of the library that are several operations, such as softmax, run as programs of few kernels on large tensors.
// Programs are exact, so the results have the bits of the separate operations.

import type { Storage } from "../../device/storage.js";
import { isView, type View } from "../../geometry/view.js";
import { openGraph } from "../../launch/graph.js";
import { openSink, passesTape, sendTo } from "../../launch/sink.js";
import { abandon } from "../schedule/run.js";
import { openTape } from "./open-tape.js";
import { Programs } from "./programs.js";
import { Tape } from "./tape.js";

// The number of elements from which on planning a new size takes less time than fewer kernels save.
const leastElements = 2 ** 20;
// Fewer elements in the last dimension are computed faster by separate kernels on a processor.
const leastInRow = 8;

const known = new Map<string, Programs>();

/**
 * The result of `body`, a tensor or a record of tensors, for one input. `body` keeps no other tensor that it makes. In a
 * compiled function or a graph its operations join those of the function.
 */
export function asProgram<R extends View | Readonly<Record<string, View>>>(
  name: string,
  { size, shape }: View,
  body: () => R,
): R {
  const isSmall = size < leastElements || (shape.at(-1) as number) < leastInRow;
  if (isSmall || openSink() !== undefined || passesTape() || openGraph()) return body();
  const programs = known.get(name) ?? new Programs(name, "fused", false, true, false);
  known.set(name, programs);
  programs.calls++;
  const tape = new Tape(programs, undefined);
  const { nodes } = tape;
  try {
    const result = deferred(tape, body);
    const views = isView(result) ? [result] : Object.values(result);
    tape.finish(views.map(({ storage }) => storage as Storage));
    return result;
  } finally {
    abandon(nodes);
  }
}

function deferred<R>(tape: Tape, body: () => R): R {
  openTape(tape);
  try {
    return body();
  } finally {
    sendTo(undefined);
  }
}
