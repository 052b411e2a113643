// jl.exportLaunch: the launches of a call as a folder that stands alone.
import { checkFunction, integersOf, numberOf, optionsOf, textOf } from "../base/arguments.js";
import { isArray, JitlabError, show } from "../base/errors.js";
import { bytesText } from "../base/units.js";
import { withClearedMemory } from "../device/memory.js";
import { checkFolder, type ExportedLaunch, isExportable, writeFolder } from "../export/folder.js";
import { type CapturedLaunch, captureLaunches, openWatcher } from "../launch/capture.js";
import { openGraph } from "../launch/graph.js";
import { openSink } from "../launch/sink.js";
import { Tensor } from "../tensor/tensor.js";

export type { ExportedLaunch };

/** Options of `jl.exportLaunch`. */
export interface ExportOptions {
  /** The folder to write; it must be new or empty. */
  readonly folder: string;
  /** The numbers of the launches to export, from 1 on; default: all, up to 100. */
  readonly launches?: readonly number[];
  /** `random` leaves out inputs and results of more than 1 MiB: the program makes random ones and measures only. */
  readonly inputs?: "recorded" | "random";
  /** The most bytes that the launches may read and write; default: 2 ** 30. */
  readonly mostBytes?: number;
  /** What the README calls the launches; default: the function's name. */
  readonly title?: string;
}

const mostLaunches = 100;
const smallBytes = 2 ** 20;

/**
 * Calls `fn(...args)` and writes its launches on the cpu or a GPU to a folder: kernels as they were compiled, inputs, results, and
 * a program in C that repeats them, compares every bit and measures. `make` there also runs debuggers and profilers on it.
 *
 * @example jl.exportLaunch(jl.add, [jl.ones([4]), 1], { folder: "add-launch" }).launches // 1
 */
export function exportLaunch<A extends readonly unknown[]>(
  fn: (...args: A) => unknown,
  args: A,
  options: ExportOptions,
): ExportedLaunch {
  checkFunction("exportLaunch", "what to export", fn);
  if (!isArray(args as unknown)) {
    throw new JitlabError(
      "bad-argument",
      `exportLaunch: the arguments are ${show(args)}, not an array.`,
      'Pass them in an array: jl.exportLaunch(jl.add, [x, 1], { folder: "add-launch" }).',
    );
  }
  const names = ["folder", "launches", "inputs", "mostBytes", "title"] as const;
  const {
    folder,
    launches,
    inputs = "recorded",
    mostBytes = 2 ** 30,
    title = fn.name,
  } = optionsOf("exportLaunch", options, names);
  textOf("exportLaunch", "the folder", folder);
  if (inputs !== "recorded" && inputs !== "random") {
    throw new JitlabError(
      "bad-argument",
      `exportLaunch: inputs is ${show(inputs)}.`,
      'Pass "recorded" or "random".',
    );
  }
  const total =
    inputs === "random" ? Number.POSITIVE_INFINITY : numberOf("exportLaunch", "mostBytes", mostBytes);
  if (openGraph() || openSink() || openWatcher()) {
    throw new JitlabError(
      "export-busy",
      "exportLaunch: operations are recorded, deferred or exported now.",
      "Export outside of jl.graph, jl.compile, %%compile and another export.",
    );
  }
  checkFolder(folder as string);
  const perOperand = inputs === "random" ? smallBytes : Number.POSITIVE_INFINITY;
  const { value, capture } = captureLaunches({ perOperand, total }, () =>
    withClearedMemory(() => computed(fn(...args))),
  );
  if (value instanceof Promise) {
    throw new JitlabError(
      "export-async",
      "exportLaunch: the function is asynchronous.",
      "Export one without await.",
    );
  }
  const chosen = chosenOf(capture.launches, launches && integersOf("exportLaunch", "launches", launches));
  if (capture.bytes > total) {
    throw new JitlabError(
      "export-size",
      `exportLaunch: the launches read and write ${bytesText(capture.bytes)}, more than ${bytesText(total)}.`,
      'Pass { mostBytes: Infinity } to write all, or { inputs: "random" } to leave large inputs out.',
    );
  }
  return writeFolder(folder as string, title === "" ? "a function" : title, chosen);
}

/** A value whose tensors are computed. */
function computed<T>(value: T): T {
  const all: readonly unknown[] = isArray(value) ? value : [value];
  for (const one of all) if (one instanceof Tensor && !one.storage.disposed) void one.pointer;
  return value;
}

/** The launches to export: those of compiled kernels, by their numbers. */
function chosenOf(all: readonly CapturedLaunch[], numbers: readonly number[] | undefined): CapturedLaunch[] {
  const compiled = all.filter(({ request }) => request !== undefined);
  if (compiled.length === 0) {
    const libraries = all.length === 0 ? "launched no kernel" : "launched only code of libraries";
    throw new JitlabError(
      "nothing-launched",
      `exportLaunch: the function ${libraries}.`,
      "Export a call that computes with tensors.",
    );
  }
  const wrong = numbers?.find((number) => compiled[number - 1] === undefined);
  if (wrong !== undefined || (numbers === undefined && compiled.length > mostLaunches)) {
    throw new JitlabError(
      "export-launches",
      wrong === undefined
        ? `exportLaunch: the function makes ${compiled.length} launches.`
        : `exportLaunch: there is no launch ${wrong} of ${compiled.length}.`,
      `Choose some with { launches: [1, 2] }:\n${listed(compiled)}`,
    );
  }
  const chosen = numbers === undefined ? compiled : compiled.filter((_, i) => numbers.includes(i + 1));
  const [{ device }] = chosen as [CapturedLaunch];
  const other = chosen.find((launch) => launch.device !== device || !isExportable(launch.device.target.kind));
  if (other === undefined) return chosen;
  throw new JitlabError(
    "export-device",
    other.device === device
      ? `exportLaunch: launches on ${device.name} cannot be exported.`
      : `exportLaunch: the launches are on ${device.name} and on ${other.device.name}.`,
    other.device === device
      ? "Move the tensors to cpu or cuda."
      : `Choose launches of one device:\n${listed(compiled)}`,
  );
}

/** The launches by kernel: `sin float32 on cpu: 1, 3`. */
function listed(all: readonly CapturedLaunch[]): string {
  const groups = new Map<string, number[]>();
  all.forEach(({ op, request, device }, i) => {
    const name = `${op} ${[...new Set(request?.dtypes)].join(", ")} on ${device.name}`;
    groups.set(name, [...(groups.get(name) ?? []), i + 1]);
  });
  const most = 12;
  return [...groups]
    .map(
      ([name, numbers]) =>
        `  ${name}: ${numbers.slice(0, most).join(", ")}${numbers.length > most ? ", ..." : ""}`,
    )
    .join("\n");
}
