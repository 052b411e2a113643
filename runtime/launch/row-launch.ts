// Launches row kernels: finds the kernel for the operands' layouts, writes its arguments and launches.

import { reduceUnit } from "../codegen/reductions/reduce-spec.js";
import { exchangeWords } from "../codegen/rows/row-exchange.js";
import { renderRows } from "../codegen/rows/row-kernel.js";
import {
  bundledRow,
  type RowAccess,
  type RowGeometry,
  type RowSpec,
  rowArguments,
  rowPart,
  rowShare,
  rowsOfTask,
  rowVariant,
  rowWord,
} from "../codegen/rows/row-spec.js";
import type { Target } from "../device/device.js";
import { joinedTexts } from "../functor/functor.js";
import type { View } from "../geometry/view.js";
import type { Words } from "./argument-writers.js";
import type { RowCall } from "./calls.js";
import { type Arguments, launch } from "./launcher.js";
import { listedRequest } from "./listed-requests.js";
import type { LoadRequest } from "./load-request.js";
import { lists } from "./sink.js";

/** Runs a row kernel over its operands. */
export function launchRows(call: RowCall): void {
  const { body, geometry, outputs, inputs, scalars } = call;
  const { device } = outputs[0] as View;
  const { target } = device;
  const spec = rowSpecOf(call, target);
  const key = `${device.id};${rowVariant(spec)};${spec.access}`;
  const request = () => requestOfRows(spec, target);
  if (lists(body.name, () => ({ request: listedRequest(body, key, request) }))) return;
  const parts = partsOf(spec, geometry);
  const given: Arguments = {
    what: body.name,
    operands: [...outputs, ...inputs],
    scalars,
    meetingBytes: parts > 1 ? 8 * geometry.rows * exchangeWords(body, parts) : 0,
    geometry: (words) => writeGeometry(words, geometry),
  };
  launch({
    owner: body,
    key,
    device,
    render: () => ({ request: request(), layout: rowArguments(spec) }),
    elements: workOf(spec, geometry),
    given,
    written: outputs,
    read: inputs,
  });
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

function writeGeometry(words: Words, { rows, length, steps, sizes, strides }: RowGeometry): void {
  words.put(rows);
  words.put(length);
  for (const step of steps) words.put(step);
  sizes.forEach((size, d) => {
    words.put(size);
    for (const operand of strides) words.put(operand[d] as number);
  });
}

/** The spec of a call's kernel. */
export function rowSpecOf(
  { body, geometry, outputs, inputs, scalars }: RowCall,
  { dialect, blocksTogether }: Target,
): RowSpec {
  const { length, sizes, strides, steps } = geometry;
  const share = dialect.gpu && rowShare(length, blocksTogether);
  if (dialect.gpu && share === undefined)
    throw new Error(`Rows of ${length} elements do not fit into registers.`);
  const access = [...outputs, ...inputs].map(({ pointer, dtype: { bytes } }, k): RowAccess => {
    if (steps[k] === 0) return "row";
    if (steps[k] !== 1) return "even";
    const { isAddressed = false, selection } = body.inputs[k - outputs.length] ?? {};
    const isOfRows = selection?.by.every((i) => steps[outputs.length + i] === 0) ?? !isAddressed;
    if (share === undefined || !isOfRows) return "dense";
    const unit = Math.min(16, rowWord * bytes);
    const distances = [
      ...(strides[k] as readonly number[]),
      ...(selection?.strides ?? []).map((i) => Number(scalars[i])),
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
  };
}
