// Functors that read an element at a place which they compute from indexes and numbers of the call.
import { type DType, dtypes } from "../base/dtype.js";
import { type Functor, makeFunctor } from "../functor/functor.js";

/** What such a functor is made of. */
export interface PlaceText {
  readonly name: string;
  readonly entry: string;
  /** The names of its inputs between the source and the indexes: words in which kernels mark an index out of bounds. */
  readonly marks: readonly string[];
  readonly indexes: readonly string[];
  /** The names of its numbers. */
  readonly numbers: readonly string[];
  /** The positions of the numbers that are strides of the source, where its layout may change them. */
  readonly strides?: readonly number[];
  /** The statements of its function. */
  readonly body: readonly string[];
}

/** The functor: its result has the dtype of the source. */
export function placeFunctor({ name, entry, marks, indexes, numbers, strides, body }: PlaceText): Functor {
  const inputs: ("T" | DType)[] = ["T", ...marks.map(() => dtypes.int32), ...indexes.map(() => dtypes.int64)];
  const list = [
    "Source source",
    ...marks.map((mark) => `const int32* ${mark}`),
    ...[...indexes, ...numbers].map((one) => `int64 ${one}`),
  ];
  const text = [
    "template <typename T, typename Source>",
    `__device__ inline T ${entry}(${list.join(", ")}) {`,
    ...body.map((line) => `  ${line}`),
    "}",
  ].join("\n");
  return makeFunctor({
    name,
    entry,
    inputs,
    inputNames: ["source", ...marks, ...indexes],
    parameters: numbers.map((number) => ({ name: number, type: dtypes.int64, value: 0 })),
    results: ["T"],
    signature: [
      ...inputs.map((_, index) => ({ role: "input" as const, index })),
      ...numbers.map((_, index) => ({ role: "parameter" as const, index })),
    ],
    addressed: { sources: [0], flags: marks.map((_, i) => i + 1), ...(strides && { strides }) },
    template: true,
    fma: false,
    converts: true,
    user: false,
    needs: () => [],
    resolve: (common) => ({ compute: dtypes[common.compute], outputs: [common] }),
    text: () => text,
  });
}
