// Collectives: what members exchange, such as the sum of their gradients.
import { numberOf, optionsOf } from "../base/arguments.js";
import { type DTypeName, dtypes } from "../base/dtype.js";
import { didYouMean, isArray, JitlabError, show } from "../base/errors.js";
import type { CollectiveForm, CollectiveKind, CollectiveOp } from "../device/collectives.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import { mostResults } from "../program/schedule/binding.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";
import { collective, nameOf, type Team } from "./definition.js";
import { devicesTeam } from "./devices-team.js";
import { jobOf } from "./world.js";
import { worldTeam } from "./world-team.js";

export type { CollectiveOp } from "../device/collectives.js";

/** Options of every collective. */
export interface ExchangeOptions {
  /** So many milliseconds a launched process waits for the others; default 600000. */
  timeout?: number;
}

/** Options of collectives that join elements. */
export interface CollectiveOptions extends ExchangeOptions {
  /** How elements are joined: `sum` (the default), `mean`, `min`, `max` or `prod`. */
  op?: CollectiveOp;
}

/** Options of {@link broadcast}. */
export interface BroadcastOptions extends ExchangeOptions {
  /** The number of the member whose elements all get; default 0. */
  root?: number;
}

/**
 * The elements of all members joined, for each member. The members are the devices of a list with one tensor for each, whose results
 * are on the same devices; or, for one tensor, all processes of the job.
 *
 * @example jl.allReduce(jl.ones([2])).toArray() // [1, 1]
 */
export function allReduce(x: Tensor, options?: CollectiveOptions): Tensor;
export function allReduce(tensors: readonly Tensor[], options?: CollectiveOptions): Tensor[];
export function allReduce(x: Given, options?: CollectiveOptions): Given {
  return run("all-reduce", x, optionsOf("allReduce", options, ["op", "timeout"]));
}

/**
 * The elements of one member, for each member, which are those of {@link allReduce}.
 *
 * @example jl.broadcast(jl.ones([2])).toArray() // [1, 1]
 */
export function broadcast(x: Tensor, options?: BroadcastOptions): Tensor;
export function broadcast(tensors: readonly Tensor[], options?: BroadcastOptions): Tensor[];
export function broadcast(x: Given, options?: BroadcastOptions): Given {
  return run("broadcast", x, optionsOf("broadcast", options, ["root", "timeout"]));
}

/**
 * The tensors of all members one behind the other along the first dimension, for each member. Members are those of {@link allReduce}.
 *
 * @example jl.allGather(jl.ones([2])).toArray() // [1, 1]
 */
export function allGather(x: Tensor, options?: ExchangeOptions): Tensor;
export function allGather(tensors: readonly Tensor[], options?: ExchangeOptions): Tensor[];
export function allGather(x: Given, options?: ExchangeOptions): Given {
  return run("all-gather", x, optionsOf("allGather", options, ["timeout"]));
}

/**
 * The elements of all members joined and divided along the first dimension: each member gets the part of its number. Members are
 * those of {@link allReduce}.
 *
 * @example jl.reduceScatter(jl.ones([2])).toArray() // [1, 1]
 */
export function reduceScatter(x: Tensor, options?: CollectiveOptions): Tensor;
export function reduceScatter(tensors: readonly Tensor[], options?: CollectiveOptions): Tensor[];
export function reduceScatter(x: Given, options?: CollectiveOptions): Given {
  return run("reduce-scatter", x, optionsOf("reduceScatter", options, ["op", "timeout"]));
}

type Given = Tensor | readonly Tensor[] | Tensor[];

const ops: readonly CollectiveOp[] = ["sum", "mean", "min", "max", "prod"];
// Libraries have no join of these; the wider one has the same bits.
const wider: Readonly<Partial<Record<DTypeName, DTypeName>>> = {
  bool: "uint8",
  int16: "int32",
  uint16: "uint32",
};

function run(
  kind: CollectiveKind,
  given: Given,
  { op = "sum", root = 0, timeout = 600_000 }: CollectiveOptions & BroadcastOptions,
): Tensor | Tensor[] {
  const what = nameOf({ kind });
  if (!(numberOf(what, "timeout", timeout) > 0))
    throw refused(what, `timeout is ${timeout}`, "Pass milliseconds above 0.");
  if (isArray(given)) return exchange(what, devicesTeam, membersOf(what, given), { kind, op, root });
  const job = jobOf();
  const team = job === undefined || job.size === 1 ? devicesTeam : worldTeam(job, timeout);
  return exchange(what, team, [tensorOf(what, given)], { kind, op, root })[0] as Tensor;
}

function exchange(
  what: string,
  team: Team,
  tensors: readonly Tensor[],
  { kind, op, root }: Omit<CollectiveForm, "dtype">,
): Tensor[] {
  const [first] = tensors as [Tensor];
  const size = team.size(tensors);
  const isJoin = kind === "all-reduce" || kind === "reduce-scatter";
  if (isJoin) checkJoin(what, op, first);
  if (!Number.isSafeInteger(root) || root < 0 || root >= size)
    throw refused(
      what,
      `root is ${show(root)}, but there are ${size} members`,
      `Pass a number from 0 to ${size - 1}.`,
    );
  if (kind === "reduce-scatter" && (first.ndim === 0 || (first.shape[0] as number) % size !== 0))
    throw refused(
      what,
      `the first dimension of the shape ${formatShape(first.shape)} does not divide among ${size} members`,
      "Pad the tensors to a multiple.",
    );
  if (size === 1) return [...tensors];
  const dtype = first.dtype.name;
  const used = (isJoin && wider[dtype]) || dtype;
  const inputs = tensors.map((x) => {
    const own = x.to(used).contiguous();
    return kind === "all-gather" && x.ndim === 0 ? own.view([1]) : own;
  });
  const form = { kind, op: isJoin ? op : "sum", dtype: used, root } as const;
  return collective(team, form, inputs).map((x) => x.to(dtype));
}

function checkJoin(what: string, op: CollectiveOp, { dtype }: Tensor): void {
  if (!ops.includes(op))
    throw refused(what, `op is ${show(op)}`, `${didYouMean(op, ops)} Ops are ${ops.join(", ")}.`.trim());
  const { kind, name } = dtypes[dtype.name];
  const isOrder = op === "min" || op === "max";
  const isKnown =
    kind === "complex"
      ? op === "sum" || op === "mean"
      : kind === "bool"
        ? isOrder
        : op !== "mean" || kind === "float";
  if (!isKnown)
    throw refused(
      what,
      `${name} tensors have no ${op}`,
      'Convert them first, for example with x.to("float32").',
    );
}

/** The tensors of a call: of one shape and dtype, each on its own device. */
function membersOf(what: string, list: readonly Tensor[]): readonly Tensor[] {
  const [first] = list;
  if (first === undefined || list.length > mostResults)
    throw refused(
      what,
      `the list has ${list.length} tensors`,
      `Pass a list of 1 to ${mostResults} tensors, one for each device.`,
    );
  for (const [i, one] of list.entries()) {
    tensorOf(what, one);
    const earlier = list.slice(0, i).find(({ device }) => device === one.device);
    if (earlier)
      throw refused(what, `two tensors are on ${one.device.name}`, "Pass one tensor for each device.");
    if (!sameNumbers(one.shape, first.shape) || one.dtype !== first.dtype)
      throw refused(
        what,
        `${kindOf(first)} on ${first.device.name} and ${kindOf(one)} on ${one.device.name} differ`,
        "All members need one shape and one dtype.",
      );
  }
  return list;
}

function kindOf({ dtype, shape }: Tensor): string {
  return `${dtype.name} ${formatShape(shape)}`;
}

function refused(what: string, problem: string, help: string): JitlabError {
  return new JitlabError("bad-argument", `${what}: ${problem}.`, help);
}
