// Launches row kernels: finds the kernel for the operands' layouts, writes its arguments and launches.

import { rowCandidates } from "../codegen/candidates.js";
import { reduceUnit } from "../codegen/reduce-spec.js";
import { renderRows } from "../codegen/row-kernel.js";
import { meetingWords } from "../codegen/row-meeting.js";
import {
  bundledRow,
  type RowAccess,
  type RowArguments,
  type RowGeometry,
  type RowSpec,
  rowArguments,
  rowPart,
  rowShare,
  rowsOfTask,
  rowVariant,
  rowWord,
} from "../codegen/row-spec.js";
import type { Device, Target } from "../device/device.js";
import { joinedTexts } from "../functor/functor.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import { writeAddress, writeScalar } from "./argument-writers.js";
import { formsOf } from "./kernel.js";
import { KernelTables } from "./kernel-tables.js";
import type { LoadRequest } from "./load-request.js";
import { type LoadedKernel, loadKernel } from "./loaded-kernel.js";
import { meetingPlace } from "./meeting-place.js";
import { openSink, type RowCall } from "./sink.js";

interface RowKernel {
  readonly kernel: LoadedKernel;
  readonly layout: RowArguments;
}

const kernels = new KernelTables<RowKernel>();

/** Runs a row kernel over its operands. */
export function launchRows(call: RowCall): void {
  const sink = openSink();
  if (sink?.kernel !== undefined) {
    const { target } = (call.outputs[0] as View).device;
    sink.kernel({ request: requestOfRows(rowSpecOf(call, target), target) });
    return;
  }
  const { body, geometry, outputs, inputs, scalars } = call;
  const views = [...outputs, ...inputs];
  const { device } = views[0] as View;
  const spec = rowSpecOf(call, device.target);
  const table = kernels.of(body);
  const key = `${device.id};${rowVariant(spec)};${spec.access}`;
  const { kernel: own, layout } =
    table.find(key) ?? table.add(key, () => ({ kernel: load(spec, device), layout: rowArguments(spec) }));
  const work = workOf(spec, geometry);
  const kernel = own.formFor(work);
  if (layout.meeting) {
    const bytes = 8 * geometry.rows * meetingWords(body, partsOf(spec, geometry));
    writeAddress(kernel.block.u32, layout.meeting.offset / 4, meetingPlace(device, bytes));
  }
  const { block } = kernel;
  views.forEach(({ pointer }, k) => {
    writeAddress(block.u32, 2 * k, pointer);
  });
  layout.scalars.forEach(({ dtype, offset }, i) => {
    writeScalar(block, dtype, offset, scalars[i] as Scalar, body.name);
  });
  writeCounts(block.i32, layout.counts / 4, geometry);
  kernel.launch(kernel.over(work), outputs, inputs);
}

/** The units of a launch: threads of a grid, or units of tasks. */
function workOf(spec: RowSpec, geometry: RowGeometry): number {
  const { share } = spec;
  const { rows, length } = geometry;
  return share
    ? rows * partsOf(spec, geometry) * share.threads
    : Math.ceil(rows / rowsOfTask(length)) * reduceUnit;
}

/** The blocks that share a row. */
function partsOf({ share }: RowSpec, { length }: RowGeometry): number {
  return share && share.blocks > 1 ? Math.ceil(length / rowPart(share)) : 1;
}

/** Writes the arguments after the scalars, each a 64-bit word. */
function writeCounts(
  words: Int32Array,
  from: number,
  { rows, length, steps, sizes, strides }: RowGeometry,
): void {
  let at = from;
  const put = (value: number): void => {
    words[at++] = value;
    words[at++] = Math.floor(value / 2 ** 32);
  };
  for (const number of [rows, length, ...steps]) put(number);
  sizes.forEach((size, d) => {
    put(size);
    for (const operand of strides) put(operand[d] as number);
  });
}

/** The spec of a call's kernel. */
export function rowSpecOf(
  { body, geometry, outputs, inputs, scalars }: RowCall,
  { dialect, blocksTogether }: Target,
): RowSpec {
  const { length, sizes, strides, steps } = geometry;
  const share = dialect.grid && rowShare(length, blocksTogether);
  if (dialect.grid && share === undefined)
    throw new Error(`Rows of ${length} elements do not fit into registers.`);
  const access = [...outputs, ...inputs].map(({ pointer, dtype: { bytes } }, k): RowAccess => {
    if (steps[k] === 0) return "row";
    if (steps[k] !== 1) return "even";
    const { isAddressed = false, choice } = body.inputs[k - outputs.length] ?? {};
    const isOfRows = choice?.by.every((i) => steps[outputs.length + i] === 0) ?? !isAddressed;
    if (share === undefined || !isOfRows) return "dense";
    const unit = Math.min(16, rowWord * bytes);
    const distances = [
      ...(strides[k] as readonly number[]),
      ...(choice?.strides ?? []).map((i) => Number(scalars[i])),
    ];
    const aligned = pointer % unit === 0 && distances.every((s) => (s * bytes) % unit === 0);
    return aligned && length % rowWord === 0 ? "packed" : "dense";
  });
  return { body, access, rank: sizes.length, share, isShort: !share && length < bundledRow, dialect };
}

/** The request of a row kernel: its rendered text for a target, and how its launches divide elements. */
export function requestOfRows(spec: RowSpec, target: Target): LoadRequest {
  const { body } = spec;
  return {
    ...renderRows(spec),
    argumentBytes: rowArguments(spec).bytes,
    op: body.name,
    variant: rowVariant(spec),
    dtypes: [...body.outputs, ...body.inputs].map(({ dtype }) => dtype.name),
    target,
    places: body.places,
    userText: joinedTexts(body.composed),
    ...formsOf(rowCandidates(spec), spec.choice, (choice) => requestOfRows({ ...spec, choice }, target)),
  };
}

function load(spec: RowSpec, device: Device): LoadedKernel {
  const began = performance.now();
  const request = requestOfRows(spec, device.target);
  return loadKernel(request, device, performance.now() - began);
}
