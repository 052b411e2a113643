// A routine over batches of matrices as one step of a program: by the device's library, or by scalar code where there is none.
// The code of a form is kept like a kernel, so that recordings, graphs and replays include it. Matrices are column-major: a
// tensor holds each one transposed.
import { sha256 } from "../base/builtins.js";
import { JitlabError } from "../base/errors.js";
import { RecentValues } from "../base/recent-values.js";
import { report } from "../cache/report.js";
import { addressIn } from "../device/argument-blocks.js";
import type {
  Device,
  LoadedCode,
  MatrixCode,
  MatrixForm,
  MatrixLibrary,
  MatrixRoutine,
} from "../device/device.js";
import { operandsOf } from "../device/matrix-operands.js";
import { sizeOf } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { writeAddress } from "../launch/argument-writers.js";
import { hostMatrices } from "../launch/devices.js";
import { refuseWhileRecording } from "../launch/graph.js";
import { LoadedKernel } from "../launch/loaded-kernel.js";
import { type OpaqueForm, openSink } from "../launch/sink.js";
import { KernelClock } from "../launch/timings.js";
import { emptyLike } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { opaqueForm, wholeResults } from "../tensor/whole.js";
import { hostCode } from "./host-code.js";
import { checkStatuses } from "./statuses.js";

/** How a routine is used; what is left out is false or "none". */
export interface MatrixSettings
  extends Partial<Pick<MatrixForm, "isUpper" | "isUnit" | "turned" | "vectors">> {
  /** True if a singular matrix is no error. */
  readonly allowsSingular?: boolean;
}

const forms = new Map<string, OpaqueForm>();

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
  const form = forms.get(key) ?? stepOf(what, routine, settings);
  forms.set(key, form);
  return wholeResults(form, inputs);
}

function stepOf(what: string, routine: MatrixRoutine, settings: MatrixSettings): OpaqueForm {
  return opaqueForm(
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
  );
}

/** True for the routines whose first operand is right sides. */
function isSolver(routine: MatrixRoutine): boolean {
  return routine === "luSolve" || routine === "triangular";
}

function formOf(routine: MatrixRoutine, settings: MatrixSettings, inputs: readonly View[]): MatrixForm {
  const isSolution = isSolver(routine);
  const { shape, dtype } = inputs[isSolution ? 1 : 0] as View;
  const [columns, rows] = shape.slice(-2) as [number, number];
  const { isUpper = false, isUnit = false, turned = "none", vectors = "none" } = settings;
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
  };
}

/** Where a device's matrices are computed: by its own library, or on the host, by the host's library or scalar code. */
interface Place {
  readonly own?: MatrixLibrary | undefined;
  readonly host?: MatrixLibrary | undefined;
}

/** Finds a device's libraries; a damaged one is reported once and not used. */
function placeOf(device: Device): Place {
  try {
    return device.matrices ? { own: device.matrices() } : { host: hostMatrices() };
  } catch (error) {
    if (!(error instanceof JitlabError) || error.code !== "library-damaged") throw error;
    report("linalg", `${error.message}\nUntil then jl.linalg computes in JavaScript, more slowly.`);
    return {};
  }
}

const kernels = new RecentValues<LoadedKernel>(256, (unused) => unused.release());

function launch(what: string, allowsSingular: boolean, form: MatrixForm, operands: readonly Tensor[]): void {
  const { device } = operands[0] as Tensor;
  const isEmpty = form.batch * form.rows * form.columns === 0 || (isSolver(form.routine) && form.right === 0);
  // Libraries refuse matrices without elements.
  const place = isEmpty ? {} : placeOf(device);
  // A device's own graph cannot contain a copy to the host.
  if (!place.own && device.compose) refuseWhileRecording(what);
  const { name: by = "scalar code" } = place.own ?? place.host ?? {};
  const name = `${device.id} ${what} ${allowsSingular} ${by} ${JSON.stringify(form)}`;
  const kernel = kernels.get(name, () => load(what, allowsSingular, form, place, device, name));
  const sink = openSink();
  if (sink?.kernel !== undefined) {
    sink.kernel({ request: kernel.request, isCompiled: true });
    return;
  }
  for (const [i, { pointer }] of operands.entries()) writeAddress(kernel.block.u32, 2 * i, pointer);
  const uses = operandsOf(form).map(({ use }) => use);
  const written = operands.filter((_, i) => uses[i] !== "read");
  const read = operands.filter((_, i) => uses[i] !== "written");
  kernel.launch(kernel.over(1), written, read);
}

function load(
  what: string,
  allowsSingular: boolean,
  form: MatrixForm,
  { own, host }: Place,
  device: Device,
  name: string,
): LoadedKernel {
  const count = operandsOf(form).length;
  const library = own ?? host;
  const by = library ? `${library.name} (${library.path})` : "scalar code";
  const request = {
    source: `// ${what} by ${by}${own ? "" : " on the host"}: ${JSON.stringify(form)}\n`,
    symbol: form.routine,
    op: what,
    variant: library?.name ?? "scalar",
    dtypes: [form.dtype],
    target: device.target,
    division: { threads: 1, perThread: 1 },
    argumentBytes: 8 * count,
  };
  const began = performance.now();
  const code = codeOf(own?.load(form) ?? hostCode(device, form, host), count, (statuses) =>
    checkStatuses(what, form, statuses, allowsSingular),
  );
  const loadMs = performance.now() - began;
  const phases = { generateMs: 0, lookupMs: 0, compileMs: 0, loadMs };
  const clock = new KernelClock(request, sha256(name), device.name, "disk", phases);
  return new LoadedKernel(device, code, clock, request, request.argumentBytes, () => {}).retain();
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
