// The index of the first smallest or largest element of a part, on a processor. An accumulator of an element and its index
// does not fit vector registers; the smallest of integers that have the elements' order, and then of the indexes that hold
// it, do. The result is the same in any order.
import type { ReductionPlan } from "../../functor/reduction.js";

/** The C++ function `first_of`: the accumulator of `count` adjacent elements, the first of which has the index `place`. */
export function searchFunction({ compute }: ReductionPlan, sign: "<" | ">", ctype: string): string[] {
  const { kind, bytes } = compute;
  const key = kind === "bool" ? "uint8" : kind === "float" ? `int${bytes * 8}` : compute.ctype;
  const turned = sign === "<" ? "" : "~";
  const last = 8 * bytes - 1;
  return [
    `// An integer that is smaller the earlier the element comes.`,
    `inline ${key} key_of(T x) {`,
    ...(kind === "float"
      ? [
          `  const ${key} bits = bits_of(x + T(0)), top = ${key}(1) << ${last}, nan = -${key}(x != x);  // -0 is 0`,
          `  const ${key} key = ${turned}(bits ^ (bits >> ${last} & ~top));`,
          `  return (key & ~nan) | (top & nan);  // not by a condition, which compilers take out of the minimum`,
        ]
      : [`  return ${key}(${turned}${key}(x));`]),
    `}`,
    `__noinline__ static Accumulator first_of(const ${ctype}* values, int64 count, int64 place) {`,
    `  ${key} least = key_of(cast<T>(values[0]));`,
    `  for (int64 k = 0; k < count; ++k) {`,
    `    const ${key} own = key_of(cast<T>(values[k]));`,
    `    least = own < least ? own : least;`,
    `  }`,
    `  int32 at = int32(count);`,
    `  for (int32 k = 0; k < int32(count); ++k) {`,
    `    const int32 own = key_of(cast<T>(values[k])) == least ? k : int32(count);`,
    `    at = own < at ? own : at;`,
    `  }`,
    `  return Accumulator{cast<T>(values[at]), place + at};`,
    `}`,
  ];
}
