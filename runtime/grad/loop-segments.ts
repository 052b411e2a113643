// A loop that is differentiated in segments: only the carries at their starts are stored, and the steps of a segment run once more before
// the loop goes back through them. Of n steps about the square root of n are stored at once.
import { JitlabError } from "../base/errors.js";
import type { Storage } from "../device/storage.js";
import type { View } from "../geometry/view.js";
import type { LoopOperation } from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import { loopOf } from "../loops/loop-body.js";
import { valueIn } from "../program/operations/ir.js";
import { cat } from "../tensor/join.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";
import type { Kept } from "./kept.js";
import type { Recording } from "./rule.js";

/** Steps that store more bytes together are differentiated in segments. */
export const mostStored = 2 ** 26;
/** Fewer steps are not divided. */
const leastSteps = 16;

type Body = LoopOperation["body"];
/** Goes back through some steps by what they stored and the cotangents of their results: the sums, then the cotangents of elements. */
type Back = (sums: readonly View[], along: readonly Tensor[], steps: number) => readonly Tensor[];

/** A loop in segments: its results, and the way back. */
export interface Segments {
  readonly results: readonly Tensor[];
  back(begin: readonly Tensor[], cotangents: readonly Tensor[], back: Back): readonly Tensor[];
}

/** What a loop in segments is made of. */
interface Parts {
  readonly around: Recording;
  readonly operation: LoopOperation;
  /** Runs a loop beneath the recorder. */
  readonly run: (loop: LoopOperation) => readonly View[] | undefined;
  /** A step that stores what its derivatives need, behind `count` results. */
  readonly storing: Body;
  readonly count: number;
  /** What a step reads from outside. */
  readonly outside: readonly View[];
}

/** Undefined where the steps are too few, or have to run one by one. */
export function inSegments({ around, operation, run, storing, count, outside }: Parts): Segments | undefined {
  const { name, steps, isReversed, carry, along } = operation;
  if (steps < leastSteps) return undefined;
  let length = Math.ceil(Math.sqrt(steps));
  // One step alone is no loop.
  while (steps % length === 1) length++;
  const segments = Math.floor(steps / length);
  const main = segments * length;
  const part = (x: Tensor, from: number, to: number): Tensor =>
    x.narrow(0, isReversed ? steps - to : from, to - from);
  const divided = (x: Tensor): Tensor => part(x, 0, main).unflatten(0, [segments, length]);
  const joined = (x: Tensor, rest: Tensor | undefined): Tensor => {
    const all = x.reshape([main, ...x.shape.slice(2)]);
    return rest ? cat(isReversed ? [rest, all] : [all, rest]) : all;
  };
  const loop = (count: number, first: readonly View[], xs: readonly Tensor[], body: Body, isBack = false) => {
    const parts = { name, isReversed: isReversed !== isBack, isWhole: true };
    return loopOf({ ...parts, steps: count, carry: first, along: xs, body });
  };
  const xs = along as readonly Tensor[];
  const found = run(
    loop(segments, carry, xs.map(divided), (now, elements) => {
      const inner = perform(loop(length, now, elements as Tensor[], operation.body), emptyTensor);
      return [inner.slice(0, carry.length), [...inner.slice(carry.length), ...now]];
    }),
  ) as readonly Tensor[] | undefined;
  if (found === undefined) return undefined;
  const last = found.slice(0, carry.length);
  const left = xs.map((x) => part(x, main, steps));
  const rest =
    main < steps ? (run(loop(steps - main, last, left, storing)) as readonly Tensor[] | undefined) : [];
  if (rest === undefined) return undefined;
  const keep = (list: readonly View[]): readonly Kept[] => list.map((x) => around.keep(x));
  const starts = keep(found.slice(count));
  const elements = keep(xs);
  const storedRest = keep(rest.slice(count));
  const read = outside.map(({ storage }) => valueIn(storage as Storage));
  return {
    results: [
      ...(main < steps ? rest : found).slice(0, carry.length),
      ...found.slice(carry.length, count).map((y, i) => joined(y, rest[carry.length + i])),
    ],
    back: (begin, cotangents, back) => {
      if (outside.some(({ storage }, i) => valueIn(storage as Storage) !== read[i])) throw changed(name);
      let sums = begin;
      let others: readonly Tensor[] = [];
      if (main < steps) {
        const given = cotangents.map((g) => part(g, main, steps));
        const all = back(sums, [...storedRest.map((one) => one.tensor()), ...given], steps - main);
        [sums, others] = [all.slice(0, begin.length), all.slice(begin.length)];
      }
      const given = [...elements.map((one) => one.tensor()), ...cotangents].map(divided);
      const all = perform(
        loop(
          segments,
          sums,
          [...starts.map((one) => one.tensor()), ...given],
          (now, own) => {
            const of = (from: number, to?: number) => own.slice(from, to) as Tensor[];
            const behind = carry.length + xs.length;
            const again = loop(length, of(0, carry.length), of(carry.length, behind), storing);
            const stored = perform(again, emptyTensor).slice(count);
            const sent = back(now, [...stored, ...of(behind)], length);
            return [sent.slice(0, begin.length), sent.slice(begin.length)];
          },
          true,
        ),
        emptyTensor,
      );
      return [...all.slice(0, begin.length), ...all.slice(begin.length).map((x, i) => joined(x, others[i]))];
    },
  };
}

function changed(name: string): JitlabError {
  return new JitlabError(
    "no-derivative",
    `${name}: a tensor that its step reads was written after the loop, and the loop stores too much to keep all of it: its steps run again for the gradient.`,
    "Write into a copy: const y = x.clone().",
  );
}
