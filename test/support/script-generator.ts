// Random functions of two numbers with several results: arithmetic that is exact in float64, branches, loops, bits, helpers.
import { randomSource } from "./random.js";

/** The text of a function that follows from a seed. */
export function scriptGenerator(seed: number): string {
  const random = randomSource(seed);
  const variables = ["x", "y"];
  let names = 0;
  const literal = () =>
    random.pick(["0", "1", "2", "3", "0.5", "1.25", "7", "-1", "1e3", "0.1", "255", "65537"]);
  const number = (depth: number): string => {
    if (depth === 0) return random.below(3) > 0 ? random.pick(variables) : literal();
    const [a, b] = [number(depth - 1), number(depth - 1)];
    return random.pick([
      () => `(${a} + ${b})`,
      () => `(${a} - ${b})`,
      () => `(${a} * ${b})`,
      () => `(${a} / ${b})`,
      () => `(${a} % ${b})`,
      () => `(-${random.pick(variables)})`,
      () => `Math.${random.pick(["floor", "ceil", "round", "trunc", "abs", "sign", "sqrt"])}(${a})`,
      () => `Math.${random.pick(["min", "max"])}(${a}, ${b})`,
      () => `(${condition(depth - 1)} ? ${a} : ${b})`,
      () => `(${a} ${random.pick(["&", "|", "^", "<<", ">>", ">>>"])} ${b})`,
      () => `(~${a})`,
      () => `helper(${a}, ${b})`,
    ])();
  };
  const condition = (depth: number): string => {
    const [a, b] = [number(Math.max(0, depth - 1)), number(0)];
    if (depth > 1 && random.below(3) === 0) {
      return `(${condition(depth - 1)} ${random.pick(["&&", "||", "==="])} ${condition(depth - 1)})`;
    }
    return `${random.below(4) === 0 ? "!" : ""}(${a} ${random.pick(["<", "<=", ">", ">=", "===", "!=="])} ${b})`;
  };
  const block = (depth: number): string[] => {
    const count = 1 + random.below(3);
    return Array.from({ length: count }, () => statement(depth)).flat();
  };
  const statement = (depth: number): string[] => {
    const assigned = variables.slice(2);
    const target = random.pick(assigned);
    const kind = depth === 0 ? 0 : random.below(4);
    if (kind === 1)
      return [`if (${condition(2)}) {`, ...block(depth - 1), "} else {", ...block(depth - 1), "}"];
    if (kind === 2) {
      const i = `i${names++}`;
      return [
        `for (let ${i} = 0; ${i} < ${1 + random.below(6)}; ${i}++) {`,
        ...block(depth - 1),
        `${target} += ${i};`,
        "}",
      ];
    }
    return [`${target} ${random.pick(["=", "+=", "-=", "*="])} ${number(2)};`];
  };
  const declared = ["a", "b", "c"].map((name) => {
    const line = `let ${name} = ${random.below(2) === 0 ? literal() : number(2)};`;
    variables.push(name);
    return line;
  });
  return [
    "(x, y) => {",
    "const helper = (p, q) => p > q ? p * 0.5 - q : q + 1;",
    ...declared,
    ...block(2),
    ...block(2),
    `return [a, b, c, ${number(3)}];`,
    "}",
  ].join("\n");
}
