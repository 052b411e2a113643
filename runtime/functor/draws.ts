// Random numbers in a functor: `random()` and `normal()` in the entry of a C++ text, `Math.random()` and `jl.math.normal()` in
// TypeScript. The entry gets a key for each element, an input, and counts its calls; ops/functors/draws.cuh computes the numbers.
import { type DType, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { blanked, type CppFunction, callStart } from "./signature.js";

/** Files of ops/functors/ that draws call, dependencies first. */
export const drawFiles: readonly string[] = ["random", "draws"];

/** The input with the element's key. */
export const keyName = "draw_key";

/** The first line of an entry that draws. */
export const drawState = `drawn_state drawn_numbers = {${keyName}, 0, 0, 0};`;

const calls = { random: "drawn::uniform(drawn_numbers)", normal: "drawn::normal(drawn_numbers)" } as const;

/** What a functor draws: uniform or normal numbers. */
export type DrawName = keyof typeof calls;

/** A draw in C++. */
export function drawCall(name: DrawName): string {
  return calls[name];
}

/** A draw in a C++ text, and its offset. */
interface Draw {
  readonly name: DrawName;
  readonly at: number;
}

const call = new RegExp(`${callStart}(random|normal)\\s*\\(\\s*\\)`, "g");

/** The draws of a C++ text, which may have functions, values and macros of these names itself. */
export function drawsOf(source: string, functions: readonly CppFunction[]): Draw[] {
  const text = blanked(source);
  const isOwn = (name: string) =>
    functions.some((one) => one.name === name) || new RegExp(`\\b(?:auto|define)\\s+${name}\\b`).test(text);
  return [...text.matchAll(call)].flatMap(({ 1: name, index }) =>
    isOwn(name as string) ? [] : [{ name: name as DrawName, at: index }],
  );
}

// Where one expression of a statement ends and another begins; the parts of ?:, && and || have an order in C++.
const sequenced = /[;{}?:]|&&|\|\||\b(?:if|while|for|switch|else|do|return)\b/;

/** Throws `bad-functor` for draws in another function than the entry, and for two whose order C++ leaves open. */
export function checkDraws(source: string, functions: readonly CppFunction[]): void {
  const draws = drawsOf(source, functions);
  const { name: entry, body, parameters } = functions.at(-1) as CppFunction;
  if (draws.length > 0 && parameters.some(({ name }) => name === keyName))
    throw new JitlabError(
      "bad-functor",
      `${entry} draws, so it has a parameter ${keyName} already.`,
      "Choose another name.",
    );
  const lineAt = (at: number) => source.slice(0, at).split("\n").length;
  for (const { name, at } of draws) {
    if (at >= body) continue;
    throw new JitlabError(
      "bad-functor",
      `${name}() stands outside of ${entry}, at line ${lineAt(at)}: only the entry draws.`,
      `Draw in ${entry}, and pass the number on as an argument.`,
    );
  }
  const text = blanked(source);
  for (const [i, { at }] of draws.entries()) {
    const before = draws[i - 1];
    if (before === undefined) continue;
    const between = text.slice(before.at, at);
    if (sequenced.test(between) || endsHeader(text, before.at, at)) continue;
    throw new JitlabError(
      "bad-functor",
      `${entry} draws twice in one expression, at line ${lineAt(at)}: C++ leaves their order open.`,
      `Give each a statement: T a = ${before.name}(); T b = ${draws[i]?.name}();`,
    );
  }
}

/** Whether the head of an if or a loop ends between two offsets: its brackets hold the first one alone. */
function endsHeader(text: string, from: number, to: number): boolean {
  const start = Math.max(text.lastIndexOf("{", from), text.lastIndexOf(";", from));
  const head = /^[\s{};]*(?:else\s+)?(?:if|while|for|switch)\s*\(/.exec(text.slice(start + 1, from));
  if (!head) return false;
  let depth = 1;
  for (let i = start + 1 + head[0].length; i < to; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return true;
  }
  return false;
}

/** The lines before a text with draws: the type of their state, in the precision of the kernel. */
export function drawTypes(text: string, compute: DType): string[] {
  if (!text.includes(drawState)) return [];
  const isNarrow = /^(?:float|complex<float>)$/.test(dtypes[compute.compute].ctype);
  return [`typedef drawn::state<${isNarrow ? "float" : "double"}> drawn_state;`];
}

/** The macros by which a C++ text draws, without their names. */
export function drawMacros(source: string, functions: readonly CppFunction[]): (readonly [string, string])[] {
  const names = new Set(drawsOf(source, functions).map(({ name }) => name));
  return [...names].map((name) => [name, `${name}() ${drawCall(name)}`]);
}
