// Translates a function into the text of a functor for one precision. Types are found by repetition: each pass writes the text
// with the types that are known, and widens those that prove too narrow; the pass that widens none is the translation.
import { positionName } from "../position.js";
import { Callees } from "./callees.js";
import { Scope } from "./scope.js";
import type { ScriptSource } from "./source.js";
import { blockOf } from "./statements.js";
import type { EntryParameter, Surroundings, Translation } from "./surroundings.js";
import type { Precision, Type } from "./types.js";
import { outputName } from "./value.js";

const mostPasses = 60;

/** Translates the entry for a precision; throws `bad-script` at the place that has no translation. */
export function translate(
  source: ScriptSource,
  entry: string,
  parameters: readonly EntryParameter[],
  precision: Precision,
  surroundings: Surroundings,
): Translation {
  return new Translator(source, entry, parameters, precision, surroundings).translation();
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
    for (const input of this.inputs) this.scope.add(input.label, input);
    const { lines } = this.capture(() => blockOf(this.source.node, this));
    return [...this.helpers, ...lines];
  }

  protected textOf(body: readonly string[], results: readonly ("number" | "bool")[]): string {
    const { element, float: floatType } = this.precision;
    const resultType = (kind: "number" | "bool") => (kind === "bool" ? "bool" : element);
    const ctype = (type: Type) =>
      type?.kind === "bool" ? "bool" : type?.kind === "float" ? floatType : element;
    const list = [
      ...this.inputs.map(({ name }, i) => `${ctype(this.parameters[i]?.type)} ${name}`),
      ...[...this.captures.values()].map(({ name, type }) => `${ctype(type)} ${name}`),
      ...[...this.positions.values()].map((use) => `int64 ${positionName(use)}`),
      ...(results.length > 1 ? results.map((kind, i) => `${resultType(kind)}& ${outputName(i)}`) : []),
    ];
    const returns = results.length > 1 ? "void" : resultType(results[0] ?? "number");
    return [
      `__device__ inline ${returns} ${this.entry}(${list.join(", ")}) {`,
      ...body.map((line) => `  ${line}`),
      "}",
    ].join("\n");
  }
}
