// Launches walks: finds the loop nest of their operands and the kernel by key, and writes its arguments. A sink cannot
// foresee the memory that a walk accesses, so a walk runs at once: callers let the sink compute pending operations first.

import { JitlabError } from "../base/errors.js";
import {
  renderWalk,
  type Walk,
  type WalkSpec,
  walkArguments,
  walkSteps,
  walkUnit,
  walkVariant,
} from "../codegen/walk-kernel.js";
import type { Device } from "../device/device.js";
import type { Functor } from "../functor/functor.js";
import { type LoopNest, loopNest } from "../geometry/loop-nest.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import type { Words } from "./argument-writers.js";
import type { MapCall, WalkCall } from "./calls.js";
import { launch } from "./launcher.js";
import { listedRequest } from "./listed-requests.js";
import type { LoadRequest } from "./load-request.js";
import type { KernelRequest } from "./obtain.js";
import type { LaunchOperation } from "./operation.js";
import { launching, openSink } from "./sink.js";

const separate = new WeakMap<Functor, (call: MapCall) => WalkCall>();

/** Makes a functor without maps around it run as a walk. */
export function runsAloneAs(functor: Functor, walk: (call: MapCall) => WalkCall): void {
  separate.set(functor, walk);
}

/** The walk that a map without others around it runs as; undefined for most. */
export function walkOf(call: MapCall): WalkCall | undefined {
  return separate.get(call.functor)?.(call);
}

/** The kernel that a launch would use, for a call over elements. */
export function requestOfWalk(call: WalkCall): KernelRequest {
  const { spec, device } = specOf(call, nestOf(call));
  return listedRequest(call.walk, keyOf(spec, device), () => requestOf(spec, device));
}

/** What kernels of one walk differ in. */
function keyOf({ rank, operands, steps, isNarrow }: WalkSpec, { id }: Device): string {
  return `${id};${rank};${operands.map(({ dtype }) => dtype.id)};${steps};${isNarrow}`;
}

/** Launches a walk over `shape`; operands broadcast to it, written ones first. */
export function launchWalk(
  walk: Walk,
  shape: readonly number[],
  written: readonly View[],
  read: readonly View[],
  numbers: readonly number[],
  scalars: readonly Scalar[] = [],
): void {
  runWalk({ walk, shape, written, read, numbers, scalars });
}

function nestOf({ walk, shape, written, read }: WalkCall): LoopNest {
  return loopNest(walk.name, 0, [], [...written, ...read], shape);
}

function specOf({ walk, written, read }: WalkCall, nest: LoopNest): { spec: WalkSpec; device: Device } {
  const views = [...written, ...read];
  const { device } = views[0] as View;
  const rank = nest.sizes.length;
  const operands = walk.operands.map((name, k) => ({ name, dtype: (views[k] as View).dtype }));
  const { dialect } = device.target;
  const steps = walkSteps(walk, dialect, nest.strides);
  const isNarrow = dialect.gpu !== undefined && nest.fits32;
  return { spec: { walk, operands, rank, steps, isNarrow, dialect }, device };
}

/** Launches a walk. */
export function runWalk(call: WalkCall): void {
  if (openSink() === undefined) launchNow(call);
  else launching(operationOf(call));
}

function operationOf(call: WalkCall): LaunchOperation {
  const { walk, written, read } = call;
  return {
    kind: "launch",
    name: walk.name,
    inputs: read,
    out: written,
    kernel: () => ({ request: requestOfWalk(call) }),
    run: () => launchNow(call),
  };
}

/** Returns what was written. */
function launchNow(call: WalkCall): readonly View[] {
  const { walk, written, read, numbers, scalars = [] } = call;
  const views = [...written, ...read];
  const { device } = views[0] as View;
  const other = views.find((view) => view.device !== device);
  if (other !== undefined) {
    throw new JitlabError(
      "mixed-devices",
      `${walk.name}: one tensor is on ${device.name} and another on ${other.device.name}.`,
      `Move one of them, for example with y.to("${device.name}").`,
    );
  }
  const nest = nestOf(call);
  if (nest.count === 0) return [];
  const { spec } = specOf(call, nest);
  launch({
    owner: walk,
    key: keyOf(spec, device),
    device,
    render: () => ({ request: requestOf(spec, device), layout: walkArguments(spec) }),
    elements: nest.count * walkUnit(spec),
    given: { operands: views, scalars, numbers, geometry: (words) => writeGeometry(words, nest) },
    written,
    read,
  });
  return written;
}

function writeGeometry(words: Words, { count, sizes, strides }: LoopNest): void {
  words.put(count);
  for (let d = 0; d < sizes.length; d++) {
    words.put(sizes[d] as number);
    for (const operand of strides) words.put(operand[d] as number);
  }
}

function requestOf(spec: WalkSpec, { target }: Device): LoadRequest {
  return {
    ...renderWalk(spec),
    argumentBytes: walkArguments(spec).bytes,
    op: spec.walk.name,
    variant: walkVariant(spec),
    dtypes: spec.operands.map(({ dtype }) => dtype.name),
    target,
  };
}
