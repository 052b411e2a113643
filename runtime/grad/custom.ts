// jl.customVjp and jl.checkpoint: functions that are one operation where they are differentiated.
import { types } from "node:util";
import { checkFunction } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { sameNumbers } from "../geometry/layout.js";
import { beneathCasts, isDifferentiated, openSink } from "../launch/sink.js";
import { Lanes } from "../loops/lanes.js";
import { type Dims, vmap } from "../loops/vmap.js";
import { computedBehind } from "../program/operations/behind.js";
import { zeros } from "../tensor/create.js";
import { keepStream, streamState } from "../tensor/random.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";
import { isFloat, mapTree, tensorsIn, withLeaves } from "../tensor/tree.js";
import { Enclosure } from "./enclosure.js";
import type { GradOf } from "./gradients.js";
import { Recorder } from "./recorder.js";
import type { Active } from "./rule.js";
import { copied, derivatives, type Fn, pairsOf, recorded, runIn, watched } from "./running.js";
import { send } from "./send.js";

/** The cotangents of arguments, each a tree as the argument, or undefined for none. */
type Pulled = readonly unknown[];

/** A call of a function that is one operation: its arguments and results as they were. */
interface Call {
  readonly args: () => readonly unknown[];
  readonly value: () => unknown;
  /** The cotangents of the results, in their structure. */
  readonly cotangents: unknown;
}

/**
 * A function with derivatives of your own: `pull` gets the cotangents of the results, the results and the arguments, and
 * returns a list with the cotangents of each argument, undefined for none.
 *
 * @example jl.grad(jl.customVjp((x) => x.floor().sum(), (g, _, x) => [g.expand(x.shape)]))(jl.tensor([1.5])).toArray() // [1]
 */
export function customVjp<F extends Fn<unknown>>(
  fn: F,
  pull: (
    cotangents: GradOf<ReturnType<F>>,
    value: ReturnType<F>,
    ...args: Parameters<F>
  ) => readonly unknown[],
): (...args: Parameters<F>) => ReturnType<F> {
  const what = "customVjp";
  checkFunction(what, "the function", fn);
  checkFunction(what, "what gives its cotangents", pull);
  const run = (own: F, args: Parameters<F>) =>
    asOne(what, own, args, [], () => ({ args: given, value, cotangents }) => {
      const found: unknown = pull(
        cotangents as GradOf<ReturnType<F>>,
        value() as ReturnType<F>,
        ...(given() as Parameters<F>),
      );
      if (Array.isArray(found) && found.length <= args.length) return found;
      throw new JitlabError(
        "bad-argument",
        `customVjp: what gives the cotangents returned ${Array.isArray(found) ? `${found.length} of them` : "no list"}.`,
        `Return a list with one for each of the ${args.length} arguments: [g.mul(2)].`,
      );
    }) as ReturnType<F>;
  return (...args) => beneathCasts(fn, (own) => run(own, args));
}

/**
 * The same function, whose intermediate results are not kept for derivatives: it runs again when these are computed. It reads
 * only its arguments, and draws the same random numbers again.
 *
 * @example jl.grad(jl.checkpoint((x) => x.sin().square().sum()))(jl.zeros([2])).toArray() // [0, 0]
 */
export function checkpoint<F extends Fn<unknown>>(fn: F): (...args: Parameters<F>) => ReturnType<F> {
  const what = "checkpoint";
  checkFunction(what, "what to run", fn);
  const once = (own: F, args: unknown[]) => {
    const { seedings } = streamState();
    const value = own(...args);
    if (streamState().seedings === seedings) return value;
    throw new JitlabError(
      "no-derivative",
      "checkpoint: the function sets a seed, or draws from a generator of its own, so it cannot run again.",
      "Draw from the shared generator, or pass the random tensors as arguments.",
    );
  };
  const run = (own: F, args: Parameters<F>) =>
    asOne(
      what,
      (...given) => once(own, given),
      args,
      [],
      () => {
        const toThen = keepStream();
        const again = ({ args: given, cotangents }: Call) =>
          recorded(what, (recorder) => {
            const copies = copied(given()) as unknown[];
            const leaves = watched(recorder, copies);
            const toNow = keepStream();
            try {
              toThen();
              const value = runIn(recorder, what, () => once(own, copies));
              recorder.pull(pairsOf("checkpoint: the results of both runs", value, cotangents));
            } finally {
              toNow();
            }
            return derivatives(copies, leaves) as Pulled;
          });
        return (call) => computedBehind(tensorsIn(call.cotangents), () => again(call));
      },
    ) as ReturnType<F>;
  return (...args) => beneathCasts(fn, (own) => run(own, args));
}

/** Runs a function as one operation of the open recorders; `begin` is called before it, for the pull of each. */
function asOne(
  what: string,
  fn: Fn<unknown>,
  args: readonly unknown[],
  recorders: readonly Recorder[],
  begin: () => (call: Call) => Pulled,
): unknown {
  const sink = openSink();
  if (sink instanceof Lanes && isDifferentiated(sink)) return ofLanes(sink, what, fn, args, recorders, begin);
  if (!(sink instanceof Recorder) || sink instanceof Enclosure) return runAlone(what, fn, args, recorders);
  const pulled = begin();
  const floats = tensorsIn(args).filter(isFloat);
  return sink.asOne(
    floats,
    () => asOne(what, fn, args, [...recorders, sink], begin),
    tensorsIn,
    (value, active) => {
      const kept = new Map([...tensorsIn(args), ...tensorsIn(value)].map((x) => [x, sink.keep(x)]));
      const asThen = (tree: unknown) => mapTree(tree, (x) => kept.get(x)?.tensor(), true);
      const results = tensorsIn(value);
      const shapes = floats.map(({ shape }) => shape);
      return (cotangents) => {
        const g = (x: Tensor) =>
          isFloat(x)
            ? (cotangents[results.indexOf(x)] ??
              zeros([...x.shape], { dtype: x.dtype.name, device: x.device.name }))
            : undefined;
        const found = pulled({
          args: () => asThen(args) as unknown[],
          value: () => asThen(value),
          cotangents: mapTree(value, g),
        });
        sendAll(what, args, found, active, shapes);
      };
    },
  );
}

/** The same function of all lanes, as one operation of the recorders beneath, whose cotangents are those of all lanes. */
function ofLanes(
  lanes: Lanes,
  what: string,
  fn: Fn<unknown>,
  args: readonly unknown[],
  recorders: readonly Recorder[],
  begin: () => (call: Call) => Pulled,
): unknown {
  const wholes = mapTree(args, (x) => lanes.whole(x), true) as unknown[];
  const isMapped = tensorsIn(args).some((x) => lanes.isMapped(x));
  const dimOf = (leaf: unknown) => (lanes.isMapped(leaf) ? 0 : null);
  const inDims = args.map((arg) => withLeaves(arg, `in an argument of ${what}`, dimOf) as Dims);
  const areMapped = args.map((arg) =>
    tensorsIn(arg)
      .filter(isFloat)
      .map((x) => lanes.isMapped(x)),
  );
  const { randomness } = lanes;
  const all: Fn<unknown> = isMapped ? vmap(fn, { inDims, randomness }) : fn;
  const pulls = () => {
    const pulled = begin();
    if (!isMapped) return pulled;
    const ofLane = (cotangents: unknown, value: unknown, ...given: unknown[]) => {
      const found = pulled({ args: () => given, value: () => value, cotangents });
      return args.map((_, i) => found[i]);
    };
    return ({ args: given, value, cotangents }: Call): Pulled => {
      const found = vmap(ofLane, { inDims: [0, 0, ...inDims], randomness })(cotangents, value(), ...given());
      // A tensor that all lanes share has the sum of their cotangents.
      return found.map((one, i) => {
        let k = 0;
        return mapTree(one, (g) => (areMapped[i]?.[k++] === false ? g.sum(0) : g));
      });
    };
  };
  const value = lanes.below(() => asOne(what, all, wholes, recorders, pulls));
  return mapTree(value, (x) => lanes.lane(x, isMapped, emptyTensor), true);
}

/** Adds the cotangents of the floating tensors of arguments, of which a list was given for each argument. */
function sendAll(
  what: string,
  args: readonly unknown[],
  found: Pulled,
  active: readonly (Active | undefined)[],
  shapes: readonly (readonly number[])[],
): void {
  let next = 0;
  for (const [i, arg] of args.entries()) {
    const own = tensorsIn(arg).filter(isFloat);
    const given = tensorsIn(found[i]);
    for (const [k] of own.entries()) {
      const [to, shape, g] = [active[next], shapes[next] as readonly number[], given[k]];
      next++;
      if (found[i] === undefined) continue;
      if (g === undefined || given.length !== own.length || !sameNumbers(g.shape, shape)) {
        const text = (list: readonly (readonly number[])[]) =>
          list.map((one) => `[${one.join(", ")}]`).join(", ");
        throw new JitlabError(
          "shape-mismatch",
          `${what}: the cotangents of argument ${i} have the shapes ${text(given.map((one) => one.shape)) || "of no tensor"}, it has ${text(own.map((one) => one.shape))}.`,
          "Return tensors in the structure and the shapes of the argument, or undefined for none.",
        );
      }
      if (to) send(to, g);
    }
  }
}

/** Runs a function that nothing records; what it reads and writes besides its arguments is an error. */
function runAlone(
  what: string,
  fn: Fn<unknown>,
  args: readonly unknown[],
  recorders: readonly Recorder[],
): unknown {
  if (recorders.length === 0) return fn(...args);
  const enclosure = new Enclosure(what, recorders, tensorsIn(args));
  try {
    return runIn(enclosure, what, () => {
      const value = fn(...args);
      if (types.isPromise(value)) return value;
      return mapTree(value, (x) => (enclosure.isOwn(x) ? x : x.clone()), true);
    });
  } finally {
    enclosure.release();
  }
}
