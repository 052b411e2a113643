// Collectives: what members exchange, such as the sum of their gradients. The members are the devices of a list of tensors.
import { optionsOf } from "../base/arguments.js";
import { type DTypeName, dtypes } from "../base/dtype.js";
import { didYouMean, isArray, JitlabError, show } from "../base/errors.js";
import type { CollectiveKind, CollectiveOp } from "../device/collectives.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import { mostResults } from "../program/schedule/binding.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";
import { collective, nameOf, type Team } from "./definition.js";
import { devicesTeam } from "./devices-team.js";

export type { CollectiveOp } from "../device/collectives.js";

/** Options of collectives that join elements. */
export interface CollectiveOptions {
  /** How elements are joined: `sum` (the default), `mean`, `min`, `max` or `prod`. */
  op?: CollectiveOp;
}

/** Options of {@link broadcast}. */
export interface BroadcastOptions {
  /** The number of the member whose elements all get; default 0. */
  root?: number;
}

/**
 * The elements of all members joined, for each member: a list with one tensor for each device. Each result is on the device of its
 * tensor.
 *
 * @example jl.allReduce([jl.ones([2])])[0].toArray() // [1, 1]
 */
export function allReduce(tensors: readonly Tensor[], options?: CollectiveOptions): Tensor[] {
  return run("all-reduce", tensors, optionsOf("allReduce", options, ["op"]));
}

/**
 * The elements of one member, for each member.
 *
 * @example jl.broadcast([jl.ones([2])])[0].toArray() // [1, 1]
 */
export function broadcast(tensors: readonly Tensor[], options?: BroadcastOptions): Tensor[] {
  return run("broadcast", tensors, optionsOf("broadcast", options, ["root"]));
}

/**
 * The tensors of all members one behind the other along the first dimension, for each member.
 *
 * @example jl.allGather([jl.ones([2])])[0].toArray() // [1, 1]
 */
export function allGather(tensors: readonly Tensor[]): Tensor[] {
  return run("all-gather", tensors, {});
}

/**
 * The elements of all members joined and divided along the first dimension: each member gets the part of its number.
 *
 * @example jl.reduceScatter([jl.ones([2])])[0].toArray() // [1, 1]
 */
export function reduceScatter(tensors: readonly Tensor[], options?: CollectiveOptions): Tensor[] {
  return run("reduce-scatter", tensors, optionsOf("reduceScatter", options, ["op"]));
}

const ops: readonly CollectiveOp[] = ["sum", "mean", "min", "max", "prod"];
// Libraries have no join of these; the wider one has the same bits.
const wider: Readonly<Partial<Record<DTypeName, DTypeName>>> = {
  bool: "uint8",
  int16: "int32",
  uint16: "uint32",
};

function run(
  kind: CollectiveKind,
  given: readonly Tensor[],
  { op = "sum", root = 0 }: CollectiveOptions & BroadcastOptions,
): Tensor[] {
  const what = nameOf({ kind });
  const tensors = membersOf(what, given);
  const [first] = tensors as [Tensor];
  const team: Team = devicesTeam;
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
function membersOf(what: string, given: readonly Tensor[]): readonly Tensor[] {
  const list = isArray(given) ? (given as readonly Tensor[]) : [tensorOf(what, given)];
  const [first] = list;
  if (!isArray(given) || first === undefined || list.length > mostResults)
    throw refused(
      what,
      isArray(given) ? `the list has ${list.length} tensors` : "there is one tensor and no list",
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
