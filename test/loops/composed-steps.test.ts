// Several steps of a loop as one piece of work of a device: CUDA graphs on a GPU. Other devices get a stand-in that keeps the launches and
// makes them again.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DeviceError } from "../../dist/runtime/base/errors.js";
import type { ComposedWork, Device } from "../../dist/runtime/device/device.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { device, useAnyDevice } from "../support/device.js";
import { bitsOf } from "../support/lanes.js";

beforeAll(useAnyDevice);

type Composing = { compose?: Device["compose"]; composeLoop?: Device["composeLoop"] };
let made: number;
let ran: number;
let isBroken: boolean;
let restore: () => void;

/** Counts what a device composes. */
beforeEach(() => {
  const real = getDevice(device);
  const own = Object.getOwnPropertyDescriptors(real);
  const { compose, composeLoop } = real;
  [made, ran, isBroken] = [0, 0, false];
  const counted = (make: () => ComposedWork | undefined): ComposedWork => {
    made++;
    const work = isBroken ? undefined : make();
    if (work === undefined) throw new DeviceError("broken", "No graph can be made.");
    const launch = () => {
      ran++;
      work.launch();
    };
    return { launch, release: work.release };
  };
  const release = () => {};
  const loop = (queue: () => void, goesOn: number, counter: number) => () => {
    const words = new Uint32Array(2);
    const goes = new Uint8Array(1);
    do {
      queue();
      real.read(counter, new Uint8Array(words.buffer));
      words[0] = (words[0] as number) + 1;
      real.write(counter, new Uint8Array(words.buffer));
      real.read(goesOn, goes);
    } while (goes[0] !== 0 && (words[0] as number) < (words[1] as number));
  };
  Object.assign(real, {
    compose: (queue: () => void) =>
      counted(() => (compose ? compose.call(real, queue) : { launch: queue, release })),
    composeLoop: (queue: () => void, goesOn: number, counter: number) =>
      counted(() =>
        composeLoop
          ? composeLoop.call(real, queue, goesOn, counter)
          : { launch: loop(queue, goesOn, counter), release },
      ),
  } satisfies Composing);
  restore = () => {
    for (const name of ["compose", "composeLoop"] as const) {
      delete (real as Composing)[name];
      if (own[name]) Object.defineProperty(real, name, own[name]);
    }
  };
});
afterEach(() => restore());

const random = (...shape: number[]) => jl.randn(shape, { device });
type Fn = (...args: jl.Tensor[]) => unknown;

function allOf(result: unknown): unknown[] {
  if (result instanceof jl.Tensor) return [{ ...bitsOf(result), strides: result.strides }];
  if (typeof result !== "object" || result === null) return [result];
  return Object.values(result).flatMap(allOf);
}

const scans: Readonly<Record<string, readonly [Fn, ...(() => jl.Tensor)[]]>> = {
  "of products": [
    (h, w, xs) =>
      jl.scan(
        (x: jl.Tensor, y: jl.Tensor) => {
          const next = x
            .matmul(w as jl.Tensor)
            .add(y)
            .tanh();
          return [next, next.mul(2)];
        },
        h as jl.Tensor,
        xs,
      ),
    () => random(2, 4),
    () => random(4, 4),
    () => random(71, 2, 4),
  ],
  "backwards, of sums": [
    (h, xs) =>
      jl.scan(
        (x: jl.Tensor, y: jl.Tensor) => [x.add(y).div(x.abs().sum().add(1)), x.sum()],
        h as jl.Tensor,
        xs,
        { reverse: true },
      ),
    () => random(3),
    () => random(40, 3),
  ],
  "with gaps between its elements": [
    (h, xs) =>
      jl.scan((x: jl.Tensor, y: jl.Tensor) => [x.softmax(0).add(y)], h as jl.Tensor, xs?.narrow(1, 0, 3)),
    () => random(3),
    () => random(40, 5),
  ],
  "of an odd carry": [
    (h) =>
      jl.scan(
        ([a, b]: jl.Tensor[]) => [[b as jl.Tensor, (a as jl.Tensor).softmax(0)], b as jl.Tensor],
        [h as jl.Tensor, (h as jl.Tensor).mul(2)],
        undefined,
        { length: 33 },
      ),
    () => random(5),
  ],
};

describe("composed steps of a scan have the bits of the plain loop", () => {
  test.each(Object.entries(scans))("%s", (_what, [f, ...make]) => {
    const compiled = jl.compile(f);
    for (let call = 0; call < 4; call++) {
      const args = make.map((one) => one());
      expect(allOf(compiled(...args)), `call ${call}`).toEqual(allOf(f(...args)));
    }
  });

  test("and of its gradient, with few launches of the host", () => {
    const xs = random(64, 2, 4);
    const loss = (w: jl.Tensor) =>
      jl
        .scan((h: jl.Tensor, x: jl.Tensor) => [h.mul(w).add(x).softmax(1)], jl.ones([2, 4]), xs)
        .carry.square()
        .mean();
    const compiled = jl.compile(jl.grad(loss));
    for (let call = 0; call < 3; call++) {
      const w = random(2, 4);
      expect(allOf(compiled(w)), `call ${call}`).toEqual(allOf(jl.grad(loss)(w)));
    }
    expect(made).toBe(2);
    expect(ran).toBeGreaterThan(made);
  });

  test("where the device fails to compose", () => {
    isBroken = true;
    const [f, ...make] = scans["backwards, of sums"] as (typeof scans)[string];
    const compiled = jl.compile(f);
    const args = make.map((one) => one());
    for (let call = 0; call < 3; call++) expect(allOf(compiled(...args))).toEqual(allOf(f(...args)));
    expect([made, ran]).toEqual([1, 0]);
  });

  test("with numbers that differ from call to call", () => {
    const f = (h: jl.Tensor, factor: number) =>
      jl.scan((x: jl.Tensor) => [x.softmax(0).mul(factor)], h, undefined, { length: 40 }).carry;
    const compiled = jl.compile(f);
    for (const factor of [1, 2, 2, 3, 2]) {
      const h = random(5);
      expect(allOf(compiled(h, factor)), `${factor}`).toEqual(allOf(f(h, factor)));
    }
  });
});

const whiles: Readonly<Record<string, (x: jl.Tensor, most: number) => unknown>> = {
  "of one element": (x, most) =>
    jl.whileLoop(
      (a) => a.lt(100),
      (a) => a.mul(1.05).add(0.1),
      x.abs().sum(),
      { most },
    ),
  "of vectors": (x, most) =>
    jl.whileLoop(
      ([a, n]: jl.Tensor[]) =>
        (a as jl.Tensor)
          .amax()
          .lt(30)
          .logicalAnd((n as jl.Tensor).lt(1000)),
      ([a, n]: jl.Tensor[]) => [(a as jl.Tensor).mul(1.03).add(x.abs()), (n as jl.Tensor).add(1)],
      [x, jl.tensor(0)],
      { most },
    ),
};

describe("a composed whileLoop is the plain one", () => {
  test.each(Object.entries(whiles))("%s", (_what, loop) => {
    for (const most of [5, 9, 20, 10_000]) {
      const compiled = jl.compile((x: jl.Tensor) => loop(x, most));
      for (let call = 0; call < 3; call++) {
        const x = random(3);
        expect(allOf(compiled(x)), `most ${most}`).toEqual(allOf(loop(x, most)));
      }
    }
    expect(made).toBe(3);
    expect(ran).toBe(9);
  });
});
