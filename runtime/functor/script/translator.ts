// Translates a function into the text of a functor for one precision. Types are inferred by iteration: each pass writes the
// text with the known types and widens those that are too narrow; the pass that widens none is the translation.
import { drawState } from "../draws.js";
import { positionParameters } from "../position.js";
import { Callees } from "./callees.js";
import { Scope } from "./scope.js";
import type { ScriptSource } from "./source.js";
import { blockOf } from "./statements.js";
import type { EntryParameter, ExpectedResult, OuterNames, Translation } from "./translation.js";
import { carried, type Precision, type Type } from "./types.js";
import { outputName, type Variable } from "./value.js";

const mostPasses = 60;

/** Translates the entry for a precision; throws `bad-script` with the position of unsupported code. */
export function translate(
  source: ScriptSource,
  entry: string,
  parameters: readonly EntryParameter[],
  precision: Precision,
  outerNames: OuterNames,
  expected?: readonly ExpectedResult[],
): Translation {
  return new Translator(source, entry, parameters, precision, outerNames, expected).translation();
}

class Translator extends Callees {
  translation(): Translation {
    let body: string[] = [];
    do {
      if (this.pass++ === mostPasses) throw new Error("The types of a function do not settle.");
      body = this.run();
    } while (this.changed);
    const results = this.frame.results.map((type) => (type?.kind === "bool" ? "bool" : "number"));
    return {
      text: this.textOf(body, results),
      captures: [...this.captures.values()].map(({ label, cell, type }) => {
        return { label, cell, kind: type?.kind === "bool" ? "bool" : "number" };
      }),
      positions: [...this.positions.values()],
      results,
      keys: this.frame.keys,
    };
  }

  protected run(): string[] {
    this.changed = false;
    this.helpers = [];
    this.scope = new Scope(this.outer);
    for (const [i, input] of this.inputs.entries()) this.bind(input, this.parameters[i]?.record);
    const { lines } = this.capture(() => blockOf(this.source.node, this));
    return [...this.helpers, ...lines];
  }

  /** Binds a parameter's name, which for a field belongs to its accumulator. */
  protected bind(input: Variable, record: string | undefined): void {
    if (record === undefined) {
      this.scope.add(input.label, input);
      return;
    }
    const known = this.scope.find(record);
    const fields = known?.kind === "record" ? known.fields : [];
    this.scope.add(record, {
      kind: "record",
      label: record,
      fields: new Map([...fields, [input.label, input]]),
    });
  }

  protected textOf(body: readonly string[], results: readonly ("number" | "bool")[]): string {
    const { element, float: floatType } = this.precision;
    const resultType = (kind: "number" | "bool", i: number) =>
      this.expected?.[i]?.kind === "integer" ? "int64" : kind === "bool" ? "bool" : element;
    const ctype = (type: Type) => {
      if (type === carried) return "int64";
      return type?.kind === "bool" ? "bool" : type?.kind === "float" ? floatType : element;
    };
    const list = [
      ...this.inputs.map(({ name }, i) => `${ctype(this.parameters[i]?.type)} ${name}`),
      ...[...this.captures.values()].map(({ name, type }) => `${ctype(type)} ${name}`),
      ...positionParameters([...this.positions.values()]),
      ...(results.length > 1 ? results.map((kind, i) => `${resultType(kind, i)}& ${outputName(i)}`) : []),
    ];
    const returns = results.length > 1 ? "void" : resultType(results[0] ?? "number", 0);
    return [
      `__device__ inline ${returns} ${this.entry}(${list.join(", ")}) {`,
      ...[...(this.draws() ? [drawState] : []), ...body].map((line) => `  ${line}`),
      "}",
    ].join("\n");
  }
}
