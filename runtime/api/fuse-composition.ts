// From the expression of jl.fuse to a composition: types from the leaves up, steps from the root down. Each operation computes
// in the dtype that it would have by itself; only the last one is rounded to a half type.

import { type DType, dtypes } from "../base/dtype.js";
import type { JitlabError } from "../base/errors.js";
import type { Composition, Origin, Step } from "../codegen/composition/composition.js";
import { argumentDType } from "../codegen/maps/map-spec.js";
import type { CalledFunctor } from "../functor/called-functor.js";
import { complaint, type Expression, type ParsedExpression } from "../functor/expression.js";
import { copyFunctor, type Functor, type Resolution } from "../functor/functor.js";
import { codeOf, commonDType, isScalarCode, resultCode } from "../functor/operand.js";
import type { Scalar } from "../ops/op.js";
import { opFunctor } from "../tensor/operations.js";

/** The value in a hole of a template: a tensor with its code and its index among the inputs, a number's code, or a functor. */
export interface Hole {
  readonly code: number | undefined;
  readonly place: number;
  readonly called: CalledFunctor | undefined;
}

/** Where the value of a scalar comes from: a hole, the text, or a parameter of the functor in a hole. */
export type ScalarSource =
  | { readonly kind: "hole"; readonly hole: number }
  | { readonly kind: "number"; readonly value: Scalar }
  | { readonly kind: "parameter"; readonly hole: number; readonly name: string; readonly value: Scalar };

/** The composition of an expression, and where its scalars come from. */
export interface FuseComposition {
  readonly composition: Composition;
  readonly scalars: readonly ScalarSource[];
}

type Operation = Extract<Expression, { readonly args: readonly Expression[] }>;
type Resolved = Exclude<Resolution, { readonly refuse: string }>;

/**
 * The composition of an expression whose holes hold these values; `inputs` are the dtypes of its tensors, `place` is where it
 * stands.
 */
export function composeExpression(
  parsed: ParsedExpression,
  holes: readonly Hole[],
  inputs: readonly DType[],
  place: string,
): FuseComposition {
  return new Composing(parsed, holes, inputs, place).composed();
}

class Composing {
  readonly #steps: Step[] = [];
  readonly #scalars: ScalarSource[] = [];
  readonly #codes = new Map<Expression, number>();

  constructor(
    readonly parsed: ParsedExpression,
    readonly holes: readonly Hole[],
    readonly inputs: readonly DType[],
    readonly place: string,
  ) {}

  composed(): FuseComposition {
    const { root } = this.parsed;
    const result = commonDType([this.#codeOf(root)]);
    const from = this.#origin(root, dtypes[result.compute]);
    if (from.kind === "step") {
      const last = this.#steps[from.step] as Step;
      // By itself it would compute for the result's dtype, for which a GPU may have another form.
      const compute = last.compute === dtypes[result.compute] ? result : last.compute;
      this.#steps[from.step] = { ...last, compute, stored: [result] };
    } else {
      // A tensor by itself.
      this.#add(copyFunctor, dtypes[result.compute], [from], [], result);
    }
    const composition = {
      inputs: this.inputs,
      scalars: this.#scalars.length,
      steps: this.#steps,
      outputs: [{ step: this.#steps.length - 1, output: 0 }],
    };
    return { composition, scalars: this.#scalars };
  }

  /** A node's kind in promotion: a tensor of some dtype, or a scalar if no tensor is below it. */
  #codeOf(node: Expression): number {
    const known = this.#codes.get(node);
    if (known !== undefined) return known;
    const code = this.#newCode(node);
    this.#codes.set(node, code);
    return code;
  }

  #newCode(node: Expression): number {
    if (node.kind === "number") return codeOf(node.value, "fuse");
    if (node.kind === "hole") {
      const { code, called } = this.holes[node.index] as Hole;
      if (code !== undefined) return code;
      throw this.#complaint(
        node,
        `${called?.functor.name} is a functor`,
        "Call it: write its arguments in brackets after it.",
      );
    }
    const [result] = this.#resolved(node).outputs as readonly [DType];
    return resultCode(
      result,
      node.args.map((arg) => this.#codeOf(arg)),
    );
  }

  /** The dtypes of an operation; `used` is that of the operation around one without tensors, which is as precise. */
  #resolved(node: Operation, used?: DType): Resolved {
    const functor = this.#functorOf(node);
    const codes = node.args.map((arg) => this.#codeOf(arg));
    const common = used ?? commonDType(codes.filter((_, i) => functor.inputs[i] === "T"));
    const resolution = functor.resolve(common);
    if (!("refuse" in resolution)) return resolution;
    throw this.#complaint(node, `${functor.name} does not take ${common.name}: ${resolution.refuse}`);
  }

  #functorOf(node: Operation): Functor {
    if (node.kind === "call") return opFunctor(node.op) as Functor;
    const { called } = this.holes[node.index] as Hole;
    // Brackets after a value that is no functor.
    if (called === undefined) throw this.#complaint({ at: node.open }, "( follows a complete expression");
    const { functor, inputNames, positions } = called;
    const { name, unfusable, results } = functor;
    const count = inputNames.length;
    if (node.args.length !== count) {
      const takes = `${name} takes ${count} ${count === 1 ? "argument" : "arguments"}`;
      throw this.#complaint(node, `${takes}, not ${node.args.length}`);
    }
    const alone = "Call it by itself, and write its result in the expression.";
    if (results.length > 1) throw this.#complaint(node, `${name} has ${results.length} results`, alone);
    if (positions.some(({ kind }) => kind === "key"))
      throw this.#complaint(node, `${name} draws random numbers`, alone);
    if (positions.length > 0) throw this.#complaint(node, `${name} asks where its element lies`, alone);
    if (unfusable !== undefined)
      throw this.#complaint(node, `${name} needs a kernel of its own: ${unfusable}`, alone);
    return functor;
  }

  /** Where the value of a node comes from that is used as a `target`. */
  #origin(node: Expression, target: DType): Origin {
    if (node.kind === "number") return this.#scalar({ kind: "number", value: node.value });
    if (node.kind === "hole") {
      const { place } = this.holes[node.index] as Hole;
      return place >= 0 ? { kind: "input", index: place } : this.#scalar({ kind: "hole", hole: node.index });
    }
    const isWeak = isScalarCode(this.#codeOf(node)) && target.kind !== "bool";
    const { compute, outputs } = this.#resolved(node, isWeak ? target : undefined);
    const functor = this.#functorOf(node);
    const own = dtypes[compute.compute];
    const origins = node.args.map((arg, i) =>
      this.#origin(arg, argumentDType(functor.inputs[i] ?? "T", own)),
    );
    const parameters = functor.parameters.map(({ name, value }) => {
      const hole = node.kind === "apply" ? node.index : -1;
      return this.#scalar({ kind: "parameter", hole, name, value }).index;
    });
    return this.#add(functor, own, origins, parameters, dtypes[(outputs[0] as DType).compute]);
  }

  #add(
    functor: Functor,
    compute: DType,
    inputs: readonly Origin[],
    parameters: readonly number[],
    stored: DType,
  ): Origin {
    const { place } = this;
    const step = this.#steps.push({ functor, compute, inputs, parameters, stored: [stored], place }) - 1;
    return { kind: "step", step, output: 0 };
  }

  #scalar(source: ScalarSource): Extract<Origin, { readonly kind: "scalar" }> {
    return { kind: "scalar", index: this.#scalars.push(source) - 1 };
  }

  #complaint({ at }: { readonly at: number }, what: string, help?: string): JitlabError {
    return complaint(this.parsed.text, at, what, help);
  }
}
