// The positions that a functor may ask for: `index(d)` and `extent(d)`, the element's place in the result and the result's
// size. They are additional arguments of the entry: an index is a broadcast `arange` tensor, an extent a parameter.
import { type DType, dtypes } from "../base/dtype.js";
import type { Argument, Parameter } from "./functor.js";
import { blanked, type CppFunction } from "./signature.js";

/** A position or an extent that the functor uses. */
export interface PositionUse {
  readonly kind: "index" | "extent";
  readonly dim: number;
}

/** The entry's parameter that holds a position or an extent. */
export function positionName({ kind, dim }: PositionUse): string {
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
  const of = (kind: PositionUse["kind"]) => uses.filter((use) => use.kind === kind);
  const [indexes, extents] = [of("index"), of("extent")];
  return {
    inputs: indexes.map(() => dtypes.int64),
    inputNames: indexes.map(positionName),
    parameters: extents.map((use) => ({ name: positionName(use), type: dtypes.int64, value: 0 })),
    signature: uses.map((use) =>
      use.kind === "index"
        ? { role: "input", index: inputs + indexes.indexOf(use) }
        : { role: "parameter", index: parameters + extents.indexOf(use) },
    ),
  };
}

/** The positions that a C++ text uses, each once; none if it defines functions of these names. */
export function positionsOf(source: string, functions: readonly CppFunction[]): PositionUse[] {
  const found = new Map<string, PositionUse>();
  for (const [, kind, dim] of blanked(source).matchAll(
    /(?<![\w.:>]\s*)\b(index|extent)\s*\(\s*(\d+)\s*\)/g,
  )) {
    if (functions.some(({ name }) => name === kind)) continue;
    const use = { kind: kind as PositionUse["kind"], dim: Number(dim) };
    found.set(positionName(use), use);
  }
  return [...found.values()];
}

/** A C++ text whose entry takes its positions as parameters, before the others, which may have defaults. */
export function withPositions(source: string, entry: CppFunction, uses: readonly PositionUse[]): string {
  if (uses.length === 0) return source;
  const list = uses.map((use) => `int64 ${positionName(use)}`).join(", ");
  const comma = entry.parameters.length === 0 ? "" : ", ";
  return `${source.slice(0, entry.open)}${list}${comma}${source.slice(entry.open)}`;
}
