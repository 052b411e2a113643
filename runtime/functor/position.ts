// What a functor may ask for beside its arguments: `index(d)` and `extent(d)`, the element's place in the result and the result's
// size, and the key of its random numbers. They are additional arguments of the entry: an index is a broadcast `arange` tensor, a
// key a tensor of random bits, an extent a parameter.
import { type DType, dtypes } from "../base/dtype.js";
import { drawState, drawsOf, keyName } from "./draws.js";
import type { Argument, Parameter } from "./functor.js";
import { blanked, type CppFunction, callStart } from "./signature.js";

const positionCall = new RegExp(`${callStart}(index|extent)\\s*\\(\\s*(\\d+)\\s*\\)`, "g");

/** A position or an extent that the functor uses, or the key of what it draws. */
export type PositionUse =
  | { readonly kind: "index" | "extent"; readonly dim: number }
  | { readonly kind: "key" };

/** The key of a functor that draws. */
export const keyUse: PositionUse = { kind: "key" };

/** The entry's parameter that holds it. */
export function positionName(use: PositionUse): string {
  if (use.kind === "key") return keyName;
  const { kind, dim } = use;
  return `${kind}_${dim < 0 ? `last${-dim}` : dim}`;
}

/** The parts of a functor that its positions add after `inputs` inputs and `parameters` parameters. */
export function positionRoles(
  uses: readonly PositionUse[],
  inputs: number,
  parameters: number,
): {
  readonly inputs: readonly DType[];
  readonly inputNames: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly signature: readonly Argument[];
} {
  const given = uses.filter(({ kind }) => kind !== "extent");
  const extents = uses.filter(({ kind }) => kind === "extent");
  return {
    inputs: given.map(typeOf),
    inputNames: given.map(positionName),
    parameters: extents.map((use) => ({ name: positionName(use), type: dtypes.int64, value: 0 })),
    signature: uses.map((use) =>
      use.kind === "extent"
        ? { role: "parameter", index: parameters + extents.indexOf(use) }
        : { role: "input", index: inputs + given.indexOf(use) },
    ),
  };
}

function typeOf({ kind }: PositionUse): DType {
  return kind === "key" ? dtypes.uint64 : dtypes.int64;
}

/** The entry's parameters for them, in C++. */
export function positionParameters(uses: readonly PositionUse[]): string[] {
  return uses.map((use) => `${typeOf(use).ctype} ${positionName(use)}`);
}

/** The positions that a C++ text uses, each once; none if it defines functions of these names. */
export function positionsOf(source: string, functions: readonly CppFunction[]): PositionUse[] {
  const found = new Map<string, PositionUse>();
  for (const [, kind, dim] of blanked(source).matchAll(positionCall)) {
    if (functions.some(({ name }) => name === kind)) continue;
    const use = { kind: kind as "index" | "extent", dim: Number(dim) };
    found.set(positionName(use), use);
  }
  if (drawsOf(source, functions).length > 0) found.set(keyName, keyUse);
  return [...found.values()];
}

/** A C++ text whose entry takes its positions as parameters, before the others, which may have defaults. */
export function withPositions(source: string, entry: CppFunction, uses: readonly PositionUse[]): string {
  if (uses.length === 0) return source;
  const { open, body } = entry;
  const comma = entry.parameters.length === 0 ? "" : ", ";
  // On the line of the brace, so that the text keeps its lines.
  const state = uses.includes(keyUse) ? ` ${drawState}` : "";
  const list = positionParameters(uses).join(", ");
  return `${source.slice(0, open)}${list}${comma}${source.slice(open, body)}${state}${source.slice(body)}`;
}
