// Every operator and every function of Math that a functor in TypeScript takes is differentiated, or refused by its name.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

beforeAll(useDevice);

type Fn = (...args: jl.Tensor[]) => jl.Tensor;
const double = { dtype: "float64" } as const;
const [x, y] = [jl.tensor([0.37, 0.81, 0.55], double), jl.tensor([0.63, 0.29, 0.44], double)];

const functorOf = (body: string): Fn => jl.jit(new Function(`return (x, y) => ${body}`)()) as Fn;
const isTaken = (body: string): boolean =>
  !/has no translation|takes \d|takes at least/.test(refusal(() => void functorOf(body)));

describe("operators", () => {
  const binary = ["+", "-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>"];
  const comparisons = ["<", "<=", ">", ">=", "==", "!=", "===", "!=="];
  test.each([
    ["of two values", binary.map((sign) => `(x ${sign} y) * x`)],
    ["with numbers", binary.map((sign) => `(x ${sign} 2) * y + (3 ${sign} y) * x`)],
    ["of integers", binary.map((sign) => `((9 * x | 0) ${sign} 4) * y`)],
    ["comparisons", comparisons.map((sign) => `(x ${sign} y ? x * y : y * y)`)],
    [
      "of one value",
      ["-x * y", "+x * y", "~x * y", "(!(x > y) ? x : y * y)", "(x > 0.5 && y < 0.5 || x > 2 ? x * x : y)"],
    ],
  ])("%s", (_, terms) => {
    expect(jl.gradcheck(functorOf(terms.join(" + ")), [x, y])).toBe(true);
  });
  test("that assign", () => {
    const steps = binary.map((sign) => `s = s - k; k = s; s ${sign}= y; s *= x + 1;`);
    const body = `{ let s = x, k = 0; ${steps.filter((step) => !/[|&^<>]/.test(step)).join(" ")} s++; --s; return s; }`;
    expect(jl.gradcheck(functorOf(body), [x, y])).toBe(true);
  });
});

describe("functions", () => {
  const named = ["Math", "Number"].flatMap((holder) => {
    const object = { Math, Number }[holder as "Math"] as unknown as Record<string, unknown>;
    return Object.getOwnPropertyNames(object).flatMap((name) =>
      typeof object[name] === "function" && name !== "prototype" ? [`${holder}.${name}`] : [],
    );
  });
  // fround differs from its derivative by rounding, and acosh has no value here.
  const calls = named.flatMap((name) => [`${name}(x)`, `${name}(x, y)`]);
  const taken = calls.filter((call) => !call.includes("fround") && isTaken(call));
  const terms = taken.map((call) => {
    const argument = call.includes("acosh") ? call.replace("(x", "(x + 1") : call;
    return call.startsWith("Number") ? `(${argument} ? y * y : x)` : `(${argument}) * y`;
  });
  test("there are many", () => {
    expect(taken.length).toBeGreaterThan(35);
    for (const name of ["sin(x)", "pow(x, y)", "atan2(x, y)", "hypot(x, y)", "max(x, y)", "round(x)"])
      expect(taken).toContain(`Math.${name}`);
  });
  test("all", () => {
    expect(jl.gradcheck(functorOf(terms.join(" + ")), [x, y])).toBe(true);
  });
  test("fround has the derivative 1", () => {
    const gradient = jl.grad((a: jl.Tensor) => functorOf("Math.fround(x) * 3")(a, y).sum())(x);
    expect(gradient.toArray()).toEqual([3, 3, 3]);
  });
});

test("an operation without a derivative is refused by its name, with the functor's line", () => {
  const step = jl.jit((a) => jl.math.nextafter(a, 3), { name: "step" }) as unknown as Fn;
  const message = refusal(() =>
    jl
      .grad((a: jl.Tensor) => step(a).sum())(x)
      .toArray(),
  );
  expect(message).toMatch(
    /^compile-failed: step cannot be differentiated: jl::nextafter has no derivative here: it steps/,
  );
  expect(message).toContain("slopes");
});
