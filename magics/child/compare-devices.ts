// %%compare --devices in the child: one cell on several devices, and the first operation that differs.
import type { WatchedOperation } from "../library.js";
import { UsageError } from "../magic.js";
import { plural } from "../render/format.js";
import type { Cell, Table } from "../render/table.js";
import { mapped, type Outcome, type Results, resultTable, verdict } from "./compare.js";
import type { MagicContext } from "./context.js";
import { differenceOf, type Elements } from "./differences.js";
import { lendVariables } from "./lent-variables.js";

/** An operation with its results in the host's memory. */
interface Step extends Pick<WatchedOperation, "text" | "place"> {
  readonly results: readonly Elements[];
}

type Row = readonly (string | Cell)[];

/** The maximum bytes of the results of operations that are compared. */
const mostBytes = 2 ** 30;

/** Runs a cell on each device, and shows how its results differ from those of the first one. */
export function compareDevices(context: MagicContext, names: readonly string[], body: () => Results): void {
  const { host, jl } = context;
  const before = jl.getDevice();
  const restore = jl.keepStream();
  // After an interrupt too.
  host.after(() => void jl.setDevice(before));
  const devices = names.map((name) => chosen(context, name));
  const on = <T>(device: string, run: () => T): T => {
    jl.setDevice(device);
    restore();
    const end = lendVariables(context, device);
    try {
      return run();
    } finally {
      end();
    }
  };
  const outcomes = devices.map(
    (device): Outcome => ({
      title: device,
      results: on(device, () => mapped(body(), (one) => kept(context, device, one))),
    }),
  );
  const [first, ...others] = outcomes as [Outcome, ...Outcome[]];
  const differing = others.filter((other) => differs(first, other));
  const tables = [resultTable(first, others)];
  if (differing.length > 0) {
    const steps: Step[] = [];
    let bytes = 0;
    const keep = ({ text, place, results }: WatchedOperation) => {
      bytes += results.reduce((sum, { size, dtype }) => sum + size * dtype.bytes, 0);
      if (bytes <= mostBytes) steps.push({ text, place, results: results.map(copied) });
    };
    on(first.title, () => jl.watchOperations(body, keep));
    const rows = differing.map(({ title }) => [
      `${title} against ${first.title}`,
      ...on(title, () => firstDifference(context, steps, body)),
    ]);
    tables.push(operationTable(rows));
  }
  context.table(...tables);
}

function differs(first: Outcome, other: Outcome): boolean {
  return Object.entries(first.results).some(([name, one]) => {
    const own = other.results[name];
    return one && (own === undefined || differenceOf(one, own) !== undefined);
  });
}

/** The first operation whose results differ from those of the steps: its number and text, its place, and how. */
function firstDifference({ jl }: MagicContext, steps: readonly Step[], body: () => Results): Row {
  let found: Row | undefined;
  let at = 0;
  jl.watchOperations(body, ({ text, place, results }) => {
    const step = found ? undefined : steps[at++];
    if (step === undefined) return;
    const operation: Row = [{ text: `${at} ${text}`, code: true }, place];
    if (step.text !== text || step.results.length !== results.length) {
      const other = `${step.text}${step.place === "" ? "" : ` of ${step.place}`}`;
      found = [...operation, { text: `instead of ${other}`, tone: "bad" }];
      return;
    }
    for (const [i, result] of results.entries()) {
      const difference = differenceOf(step.results[i] as Elements, result);
      if (difference === undefined) continue;
      found = [...operation, verdict(difference, result.size)];
      return;
    }
  });
  return found ?? [`none of the first ${plural(steps.length, "operation")}`, "", ""];
}

function operationTable(rows: readonly Row[]): Table {
  return {
    heading: "The first operation that differs",
    columns: [{ title: "" }, { title: "operation" }, { title: "place" }, { title: "" }],
    rows,
  };
}

function copied(tensor: Elements): Elements {
  const { dtype, shape, size, device } = tensor;
  const data = tensor.data();
  return { dtype, shape, size, device, data: () => data };
}

/** Makes a device the default, and returns its whole name. */
function chosen({ jl }: MagicContext, name: string): string {
  try {
    jl.setDevice(name);
    return jl.getDevice();
  } catch (error) {
    const why = (error as Error).message.replaceAll("\n", " ");
    throw new UsageError(
      `%%compare: the device ${name} cannot be used: ${why} Or leave it out of --devices.`,
    );
  }
}

/** The elements of a tensor, which may share memory that the next device's run gets. */
function kept({ jl }: MagicContext, wanted: string, result: unknown): Elements | undefined {
  if (!(result instanceof jl.Tensor)) return undefined;
  const { dtype, shape, device } = result;
  if (device.name !== wanted) {
    throw new UsageError(
      `%%compare: a result of ${dtype.name}[${shape}] is on ${device.name} while the cell runs on ${wanted}. Leave out { device } in the cell, and hold the tensors that it reads in the notebook's variables.`,
    );
  }
  return copied(result);
}
