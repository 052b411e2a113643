// Launches walks: finds the loop nest of their operands and the kernel by key, and writes its arguments. A sink cannot
// foresee the memory that a walk accesses, so a walk runs at once: callers let the sink compute pending operations first.

import { JitlabError } from "../base/errors.js";
import {
  renderWalk,
  type Walk,
  type WalkSpec,
  walkBytes,
  walkSteps,
  walkUnit,
  walkVariant,
} from "../codegen/walk-kernel.js";
import type { Device } from "../device/device.js";
import { loopNest } from "../geometry/loop-nest.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import { writeScalar } from "./argument-writers.js";
import { KernelTables } from "./kernel-tables.js";
import { type LoadedKernel, loadKernel } from "./loaded-kernel.js";
import { sendTo } from "./sink.js";

const kernels = new KernelTables<{ readonly kernel: LoadedKernel }>();

/** Runs a function on the device at once, even with an open sink. */
export function atOnce<R>(run: () => R): R {
  const before = sendTo(undefined);
  try {
    return run();
  } finally {
    sendTo(before);
  }
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
  const nest = loopNest(walk.name, 0, [], views, shape);
  if (nest.count === 0) return;
  const rank = nest.sizes.length;
  const operands = walk.operands.map((name, k) => ({ name, dtype: (views[k] as View).dtype }));
  const { dialect } = device.target;
  const steps = walkSteps(walk, dialect, nest.strides);
  const isNarrow: boolean = dialect.grid !== undefined && nest.fits32;
  const spec: WalkSpec = { walk, operands, rank, steps, isNarrow, dialect };
  const table = kernels.of(walk);
  const key = `${device.id};${rank};${operands.map(({ dtype }) => dtype.id)};${steps};${isNarrow}`;
  const { kernel } = table.find(key) ?? table.add(key, () => ({ kernel: load(spec, device) }));
  const { i32 } = kernel.block;
  let at = 0;
  const put = (value: number): void => {
    i32[at++] = value;
    i32[at++] = Math.floor(value / 2 ** 32);
  };
  for (const { pointer } of views) put(pointer);
  for (const number of numbers) put(number);
  for (const [i, { name, dtype }] of (walk.scalars ?? []).entries()) {
    writeScalar(kernel.block, { offset: 4 * at, dtype }, scalars[i] as Scalar, name);
    at += 2;
  }
  put(nest.count);
  for (let d = 0; d < rank; d++) {
    put(nest.sizes[d] as number);
    for (const strides of nest.strides) put(strides[d] as number);
  }
  kernel.launch(kernel.over(nest.count * walkUnit(spec)), written, read);
}

function load(spec: WalkSpec, device: Device): LoadedKernel {
  const began = performance.now();
  const request = {
    ...renderWalk(spec),
    argumentBytes: walkBytes(spec),
    op: spec.walk.name,
    variant: walkVariant(spec),
    dtypes: spec.operands.map(({ dtype }) => dtype.name),
    target: device.target,
  };
  return loadKernel(request, device, performance.now() - began);
}
