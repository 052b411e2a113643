// Sums of products by dimension names: takes diagonals, moves sums inwards, and computes each pair of factors as a batched
// matrix product.
import { textOf } from "../../base/arguments.js";
import { inNameOf, JitlabError } from "../../base/errors.js";
import { broadcastShapes, formatShape, sizeOf } from "../../geometry/layout.js";
import { openCasts } from "../../launch/sink.js";
import { type Tensor, tensorOf } from "../tensor.js";

/** A factor and the names of its dimensions. */
interface Factor {
  readonly tensor: Tensor;
  readonly names: string;
}

/**
 * The sum of products that a text describes: one letter per dimension, `...` for further ones that broadcast, `->` before the
 * result's. Factors are multiplied from the left.
 *
 * @example jl.einsum("ij,jk->ik", jl.ones([2, 3]), jl.ones([3, 4])).shape // [2, 4]
 */
export function einsum(equation: string, ...tensors: Tensor[]): Tensor {
  const casts = openCasts();
  if (casts) return casts.call("einsum", einsum, [equation, ...tensors]);
  const text = textOf("einsum", "the equation", equation).replaceAll(" ", "");
  const [left = "", right, ...rest] = text.split("->");
  const subscripts = left.split(",");
  const parts = right === undefined ? subscripts : [...subscripts, right];
  if (rest.length > 0 || parts.some((part) => !/^[A-Za-z]*(\.\.\.)?[A-Za-z]*$/.test(part))) {
    throw refused(
      text,
      "is not an equation",
      'Write letters, commas and one arrow, as in "ij,jk->ik", and "..." for further dimensions.',
    );
  }
  if (subscripts.length !== tensors.length) {
    throw refused(text, `has ${subscripts.length} factors, but got ${tensors.length} tensors`);
  }
  const given = tensors.map((tensor) => tensorOf("einsum", tensor));
  const further = furtherOf(subscripts, given);
  const sizes = new Map<string, number>();
  const factors = given.map((tensor, i) =>
    factorOf(text, named(subscripts[i] as string, tensor, further), sizes),
  );
  const letters = [...left.replaceAll(/[,.]/g, "")];
  const kept =
    right?.replace("...", further.names) ??
    `${further.names}${[...new Set(letters)]
      .filter((name) => count(letters, name) === 1)
      .sort()
      .join("")}`;
  const strange = [...kept].find((name, i) => !sizes.has(name) || kept.indexOf(name) !== i);
  if (strange !== undefined) {
    throw refused(
      text,
      `names "${strange}" after the arrow`,
      "Use each letter there once, and also before the arrow.",
    );
  }
  let [result, ...others] = factors.map((factor, i) => {
    const elsewhere = factors.filter((_, k) => k !== i).map(({ names }) => names);
    return summed(factor, `${kept}${elsewhere.join("")}`);
  }) as [Factor, ...Factor[]];
  while (others.length > 0) {
    const [next, ...later] = others as [Factor, ...Factor[]];
    result = product(result, next, `${kept}${later.map(({ names }) => names).join("")}`);
    others = later;
  }
  return result.tensor.permute([...kept].map((name) => result.names.indexOf(name)));
}

/** The dimensions that "..." stands for: a name for each, and their extents after broadcasting. */
interface Further {
  readonly names: string;
  readonly shape: readonly number[];
}

const dots = "...";

function furtherOf(subscripts: readonly string[], tensors: readonly Tensor[]): Further {
  const shapes = tensors.flatMap(({ shape, ndim }, i) => {
    const names = subscripts[i] as string;
    if (!names.includes(dots)) return [];
    const at = names.indexOf(dots);
    return [shape.slice(at, Math.max(at, at + ndim - (names.length - dots.length)))];
  });
  const shape = broadcastShapes("einsum", shapes);
  // Names that no equation can write.
  return { names: shape.map((_, d) => String.fromCharCode(0x3b1 + d)).join(""), shape };
}

/** A factor with a name for each of its dimensions; those of "..." that repeat its elements are left out. */
function named(letters: string, tensor: Tensor, { names, shape }: Further): Factor {
  if (!letters.includes(dots)) return { tensor, names: letters };
  const at = letters.indexOf(dots);
  const own = Math.max(0, tensor.ndim - (letters.length - dots.length));
  const first = shape.length - own;
  const isRepeated = (d: number) => tensor.shape[at + d] === 1 && shape[first + d] !== 1;
  const places = Array.from({ length: own }, (_, d) => d);
  const kept = places.filter((d) => !isRepeated(d));
  return {
    tensor: tensor.squeeze(places.filter(isRepeated).map((d) => at + d)),
    names: letters.replace(dots, kept.map((d) => names[first + d]).join("")),
  };
}

function count(letters: readonly string[], name: string): number {
  return letters.filter((letter) => letter === name).length;
}

function refused(text: string, what: string, help = "Name every dimension of every factor."): JitlabError {
  return new JitlabError("bad-argument", `einsum: "${text}" ${what}.`, help);
}

/** A factor with distinct letters: equal letters select the diagonal. */
function factorOf(text: string, { tensor: given, names }: Factor, sizes: Map<string, number>): Factor {
  if (names.length !== given.ndim) {
    throw refused(text, `names "${names}" for the shape ${formatShape(given.shape)}`);
  }
  for (const [d, name] of [...names].entries()) {
    const size = given.shape[d] as number;
    const known = sizes.get(name) ?? size;
    if (known !== size) {
      throw new JitlabError(
        "shape-mismatch",
        `einsum: "${name}" of "${text}" is ${known} and ${size}.`,
        "A letter must have one size.",
      );
    }
    sizes.set(name, size);
  }
  let factor: Factor = { tensor: given, names };
  for (;;) {
    const second = [...factor.names].findIndex((name, d) => factor.names.indexOf(name) !== d);
    if (second < 0) return factor;
    const name = factor.names[second] as string;
    const rest = [...factor.names].filter(
      (letter, d) => letter !== name || (d !== second && d !== factor.names.indexOf(name)),
    );
    factor = {
      tensor: factor.tensor.diagonal(0, factor.names.indexOf(name), second),
      names: `${rest.join("")}${name}`,
    };
  }
}

/** The factor, summed over the letters that only it has. */
function summed({ tensor, names }: Factor, needed: string): Factor {
  const dims = [...names].flatMap((name, d) => (needed.includes(name) ? [] : [d]));
  if (dims.length === 0) return { tensor, names };
  const kept = [...names].filter((name) => needed.includes(name)).join("");
  return { tensor: tensor.sum(dims).to(tensor.dtype.name), names: kept };
}

/** The product of two factors, summed over letters that are no longer needed. */
function product(a: Factor, b: Factor, needed: string): Factor {
  const shared = [...a.names].filter((name) => b.names.includes(name));
  const batch = shared.filter((name) => needed.includes(name));
  const inner = shared.filter((name) => !needed.includes(name));
  const rows = [...a.names].filter((name) => !shared.includes(name));
  const columns = [...b.names].filter((name) => !shared.includes(name));
  const extents = (factor: Factor, names: readonly string[]) =>
    names.map((name) => factor.tensor.shape[factor.names.indexOf(name)] as number);
  const matrices = (factor: Factor, ...groups: readonly (readonly string[])[]) =>
    factor.tensor
      .permute(groups.flat().map((name) => factor.names.indexOf(name)))
      .reshape(groups.map((names) => sizeOf(extents(factor, names))));
  const left = matrices(a, batch, rows, inner);
  const right = matrices(b, batch, inner, columns);
  const joined = inNameOf("einsum", "bmm", () => left.bmm(right));
  return {
    tensor: joined.view([...extents(a, batch), ...extents(a, rows), ...extents(b, columns)]),
    names: [...batch, ...rows, ...columns].join(""),
  };
}
