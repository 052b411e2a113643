// The forms of expansions. Each calls a method of `$magic`, an object that the executor adds to the notebook's variables.
import { type Expansion, type MagicArguments, type MagicOption, UsageError } from "./magic.js";
import { literal } from "./scan.js";

/** `$magic.method(arguments)`, each argument as a literal; trailing undefined arguments are left out. */
export function call(method: string, ...args: readonly unknown[]): string {
  const last = args.findLastIndex((arg) => arg !== undefined);
  const list = args.slice(0, last + 1).map((arg) => (arg === undefined ? "undefined" : literal(arg)));
  return `$magic.${method}(${list.join(", ")})`;
}

/** A line magic that prints or displays, and has no value. */
export function statement(method: string, ...args: readonly unknown[]): Expansion {
  return { prologue: `${call(method, ...args)};`, keepBody: false };
}

/** A line magic whose value is the cell's or an assignment's. */
export function value(method: string, ...args: readonly unknown[]): Expansion {
  return { prologue: call(method, ...args), keepBody: false };
}

/** A cell magic that observes its cell: the body runs unchanged, and the magic then shows its recording. */
export function observe(observer: string, options: Readonly<Record<string, unknown>> = {}): Expansion {
  return { prologue: `${call("begin", observer, options)};`, keepBody: true };
}

/** Throws UsageError for more positional words than the magic takes. */
export function atMost(name: string, args: MagicArguments, count: number): void {
  const extra = args.positional[count];
  if (extra !== undefined) {
    throw new UsageError(`%${name}: unexpected argument ${JSON.stringify(extra)}. See %${name}?`);
  }
}

/** The text of an option, or undefined if it was not given. */
export function textOption(args: MagicArguments, name: string): string | undefined {
  const given = args.options[name];
  return typeof given === "string" ? given : undefined;
}

/** Options at the start of raw text, as `%timeit -n5 -r 3 expression` has them, and the text after them. */
export function leadingOptions(
  magic: string,
  raw: string,
  options: readonly MagicOption[],
): { options: Record<string, string | true>; rest: string } {
  const found: Record<string, string | true> = {};
  let rest = raw.trimStart();
  for (;;) {
    const word = /^--?[A-Za-z][\w-]*/.exec(rest)?.[0];
    if (word === undefined) return { options: found, rest: rest.replace(/^--(?=\s|$)\s*/, "") };
    const option = options.find((one) => one.name === word || one.short === word.slice(0, 2));
    if (option === undefined) {
      const known = options.map((one) => one.name).join(", ");
      throw new UsageError(`%${magic}: unrecognized option ${word}. Its options are ${known}.`);
    }
    const name = option.name.slice(2);
    rest = rest.slice(option.name === word ? word.length : 2);
    if (option.value === undefined) {
      found[name] = true;
      if (/^\w/.test(rest)) rest = `-${rest}`;
    } else {
      const given = /^[\s=]*(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(rest);
      if (!given) throw new UsageError(`%${magic}: option ${option.name} needs a value (${option.value}).`);
      found[name] = given[1] ?? given[2] ?? given[3] ?? "";
      rest = rest.slice(given[0].length);
    }
    rest = rest.trimStart();
  }
}
