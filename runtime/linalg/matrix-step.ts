// A routine over batches of matrices as one step of a program: by the device's library, or by scalar code where there is none.
// The code of a form is kept like a kernel, so that recordings, graphs and replays include it. Matrices are column-major: a
// tensor holds each one transposed.
import { JitlabError } from "../base/errors.js";
import { RecentValues } from "../base/recent-values.js";
import { report } from "../cache/report.js";
import { addressIn } from "../device/argument-blocks.js";
import type { Device } from "../device/device.js";
import type { LoadedCode } from "../device/loaded-code.js";
import type { MatrixCode, MatrixForm, MatrixLibrary, MatrixRoutine } from "../device/matrix-library.js";
import { operandsOf } from "../device/matrix-operands.js";
import { sizeOf } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { hostMatrices } from "../launch/devices.js";
import { refuseWhileRecording } from "../launch/graph.js";
import type { LoadedKernel } from "../launch/loaded-kernel.js";
import type { OpaqueDefinition, RuleFacts } from "../launch/operation.js";
import { emptyLike } from "../tensor/create.js";
import { launchLibrary, libraryKernel } from "../tensor/library-kernel.js";
import type { Tensor } from "../tensor/tensor.js";
import { opaqueDefinition, wholeResults } from "../tensor/whole.js";
import { hostCode } from "./host-code.js";
import { checkStatuses } from "./statuses.js";

/** How a routine is used; what is left out is false or "none". */
export interface MatrixSettings
  extends Partial<Pick<MatrixForm, "isUpper" | "isUnit" | "turned" | "vectors" | "knowsPivots">> {
  /** True if a singular matrix is no error. */
  readonly allowsSingular?: boolean;
}

const operations = new Map<string, OpaqueDefinition>();

/** The rule of a step: that of its routine, which needs to know how it is used. */
export interface MatrixRule extends RuleFacts {
  readonly by: MatrixRoutine;
  readonly settings: MatrixSettings;
}

/**
 * The results of a routine over batches of transposed matrices, which are transposed too. The inputs are those operands of
 * device/matrix-operands.ts that are not only written; errors name `what`.
 */
export function matrixResults(
  what: string,
  routine: MatrixRoutine,
  inputs: readonly Tensor[],
  settings: MatrixSettings = {},
): readonly Tensor[] {
  const key = `${what} ${routine} ${JSON.stringify(settings)}`;
  const operation = operations.get(key) ?? stepOf(what, routine, settings);
  operations.set(key, operation);
  return wholeResults(operation, inputs);
}

/** The dimensions of the inputs of routines that take more than a matrix: right sides, the matrix and pivots. */
const cores: Partial<Record<MatrixRoutine, readonly number[]>> = {
  solve: [2, 2],
  luSolve: [2, 2, 1],
  triangular: [2, 2],
};

function stepOf(what: string, routine: MatrixRoutine, settings: MatrixSettings): OpaqueDefinition {
  return opaqueDefinition(
    what,
    (inputs) => {
      const batch = (inputs[0] as View).shape.slice(0, -2);
      return operandsOf(formOf(routine, settings, inputs)).flatMap(
        ({ use, dtype, isVector, rows, columns }) => {
          const shape = isVector ? [rows] : [columns, rows];
          return use === "written" || use === "overwritten" ? [[dtype, [...batch, ...shape]] as const] : [];
        },
      );
    },
    (inputs, outputs) => {
      const form = formOf(routine, settings, inputs);
      const [given, made] = [[...inputs], [...outputs]];
      const next = (tensors: Tensor[]) => tensors.shift() as Tensor;
      const lost: Tensor[] = [];
      const operands = operandsOf(form).map(({ use }) => {
        if (use === "read") return next(given).contiguous();
        if (use === "written") return next(made);
        const source = next(given);
        if (use === "overwritten") return next(made).copy_(source);
        const copy = emptyLike(source).copy_(source);
        lost.push(copy);
        return copy;
      });
      launch(what, settings.allowsSingular === true, form, operands);
      for (const tensor of lost) tensor.dispose();
    },
    { core: cores[routine] ?? [2], rule: { by: routine, settings } as MatrixRule },
  );
}

/** True for the routines whose first operand is right sides. */
function isSolver(routine: MatrixRoutine): boolean {
  return routine === "luSolve" || routine === "solve" || routine === "triangular";
}

function formOf(routine: MatrixRoutine, settings: MatrixSettings, inputs: readonly View[]): MatrixForm {
  const isSolution = isSolver(routine);
  const { shape, dtype } = inputs[isSolution ? 1 : 0] as View;
  const [columns, rows] = shape.slice(-2) as [number, number];
  const { isUpper = false, isUnit = false, turned = "none", vectors = "none" } = settings;
  const { knowsPivots = false } = settings;
  const counts = { none: 0, thin: Math.min(rows, columns), full: rows };
  return {
    routine,
    dtype: dtype.name,
    batch: sizeOf(shape.slice(0, -2)),
    rows,
    columns,
    right: isSolution ? ((inputs[0] as View).shape.at(-2) as number) : counts[vectors],
    isUpper,
    isUnit,
    turned,
    vectors,
    knowsPivots,
  };
}

/** What computes a device's matrices of a form: its own library, or the host's library or scalar code. */
interface Engine {
  readonly library?: MatrixLibrary | undefined;
  readonly isOwn: boolean;
}

/** Finds the engine; a damaged library is reported once and not used. */
function engineOf(device: Device, form: MatrixForm): Engine {
  const own = undamaged(() => device.matrices?.(), device.addressOf ? "in JavaScript" : "on the host");
  if (own && own.takes?.(form) !== false) return { library: own, isOwn: true };
  // A device of the host has asked for its library.
  if (device.matrices && device.addressOf) return { isOwn: false };
  return { library: undamaged(hostMatrices, "in JavaScript"), isOwn: false };
}

function undamaged<T>(open: () => T, otherwise: string): T | undefined {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof JitlabError) || error.code !== "library-damaged") throw error;
    report(
      `linalg ${otherwise}`,
      `${error.message}\nUntil then jl.linalg computes ${otherwise}, more slowly.`,
    );
    return undefined;
  }
}

const kernels = new RecentValues<LoadedKernel>(256, (unused) => unused.release());

function launch(what: string, allowsSingular: boolean, form: MatrixForm, operands: readonly Tensor[]): void {
  const { device } = operands[0] as Tensor;
  const isEmpty = form.batch * form.rows * form.columns === 0 || (isSolver(form.routine) && form.right === 0);
  // Libraries refuse matrices without elements.
  const engine = isEmpty ? { isOwn: false } : engineOf(device, form);
  // A device's own graph cannot wait for the host, which reads statuses.
  if (device.compose) refuseWhileRecording(what);
  const kernel = kernelOf(what, allowsSingular, form, engine, device);
  const uses = operandsOf(form).map(({ use }) => use);
  const written = operands.filter((_, i) => uses[i] !== "read");
  const read = operands.filter((_, i) => uses[i] !== "written");
  launchLibrary(kernel, operands, written, read);
}

function kernelOf(
  what: string,
  allowsSingular: boolean,
  form: MatrixForm,
  { library, isOwn }: Engine,
  device: Device,
): LoadedKernel {
  const by = library?.name ?? "scalar code";
  return kernels.get(`${device.id} ${what} ${allowsSingular} ${by} ${JSON.stringify(form)}`, () => {
    const operands = operandsOf(form).length;
    const place = `${library ? `(${library.path})` : ""}${isOwn ? "" : " on the host"}`;
    const call = { what, symbol: form.routine, by, place, form, operands };
    return libraryKernel(device, call, () => {
      const code = isOwn && library ? library.load(form) : hostCode(device, form, library);
      return codeOf(code, operands, (statuses) => checkStatuses(what, form, statuses, allowsSingular));
    });
  });
}

function codeOf(code: MatrixCode, count: number, check: (statuses: Int32Array) => void): LoadedCode {
  return {
    launch: ({ u32 }) => {
      const statuses = code.run(Array.from({ length: count }, (_, i) => addressIn(u32, 2 * i)));
      if (statuses) check(statuses);
    },
    unload: () => {},
  };
}
