// %%kernel in a real kernel: its bindings, replacements, errors and output.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plain, result, useKernel } from "../support/kernel.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-kernel-magic-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const kernel = useKernel({ cwd: folder, env: { JITLAB_DEVICE: "cpu" } });

async function value(code: string): Promise<string | undefined> {
  const answer = await kernel().execute(code, { stopOnError: false });
  expect(plain(answer.reply.content.traceback ?? [])).toBe("");
  return result(answer);
}

async function failure(code: string): Promise<{ name: unknown; message: string; traceback: string }> {
  const { reply } = await kernel().execute(code, { stopOnError: false });
  expect(reply.content.status).toBe("error");
  const { ename, evalue, traceback } = reply.content;
  return { name: ename, message: String(evalue), traceback: plain(traceback) };
}

beforeAll(async () => {
  await value('import * as jl from "jitlab";\nconst x = jl.arange(1, 5).to("float32");');
  await value("const origin = (fn: () => unknown) => jl.record(fn).launches[0]?.origin;");
}, 60_000);

describe("the signature", () => {
  test("defaults and options of the magic's line are captured parameters", async () => {
    await value(
      "%%kernel lerp alpha=0.5\ntemplate <typename T> T lerp(T x, T y, T alpha) { return x + alpha * (y - x); }",
    );
    expect(await value("lerp(x, x.mul(3)).toArray()")).toBe("[ 2, 4, 6, 8 ]");
    expect(await value("lerp(x, x.mul(3), { alpha: 0 }).toArray()")).toBe("[ 1, 2, 3, 4 ]");
    expect((await failure("lerp(x, x, { alfa: 0 })")).message).toContain("'alfa' does not exist");
  });

  test("every dtype can be the result's and one to precompile for", async () => {
    for (const dtype of ["uint8", "uint16", "uint32", "uint64"]) {
      await value(`%%kernel low --returns ${dtype}\ntemplate <typename T> T low(T x) { return x; }`);
      expect(await value("low(jl.tensor([1, 2])).dtype.name")).toBe(`'${dtype}'`);
      await value(`%precompile add ${dtype}`);
    }
  });

  test("several functions, several outputs", async () => {
    await value(`%%kernel
template <typename T>
T square(T v) { return v * v; }
template <typename T>
void moments(const T x, T y, T& sum, T& difference, int k = 2) {
  sum = square(x) + y * k;
  difference = x - y;
}`);
    expect(await value("const [s, d] = moments(x, x);\ns.toArray()")).toBe("[ 3, 8, 15, 24 ]");
    expect(await value("moments(x, x, { k: 0 })[0].toArray()")).toBe("[ 1, 4, 9, 16 ]");
    expect(await value("d.toArray()")).toBe("[ 0, 0, 0, 0 ]");
    expect((await failure("moments(x)")).message).toContain("Expected 2-3 arguments, but got 1");
  });

  test("hover shows the parameters and the functor's own text", async () => {
    const { data } = (await kernel().inspect("lerp", 2)) as { data: Record<string, string> };
    expect(data["text/plain"]).toContain("const lerp: Kernel<[x: Operand, y: Operand]");
    expect(data["text/markdown"]).toContain(
      "```cuda\ntemplate <typename T> T lerp(T x, T y, T alpha) { return x + alpha * (y - x); }\n```",
    );
  });
});

describe("redefinition", () => {
  test("replaces the function, and drops its kernels only", async () => {
    const define = (name: string, factor: number) =>
      value(`%%kernel ${name}\ntemplate <typename T> T ${name}(T x) { return x * T(${factor}); }`);
    // An earlier run may have left it.
    await value('jl.cache.clear({ op: "one" })');
    await define("one", 2);
    await define("other", 3);
    await value("const old = one;\none(x); other(x);");
    await define("one", 7);
    expect(await value("[origin(() => other(x)), origin(() => one(x)), origin(() => old(x))]")).toBe(
      "[ 'memory', 'compiled', 'disk' ]",
    );
    expect(await value("[one(x).toArray()[0], old(x).toArray()[0]]")).toBe("[ 7, 2 ]");
    // The old function has that kernel loaded.
    await define("one", 2);
    expect(await value("origin(() => one(x))")).toBe("'memory'");
  });

  test("may change the signature", async () => {
    await value("%%kernel shape\ntemplate <typename T> T shape(T x) { return x; }");
    await value("%%kernel shape\ntemplate <typename T> T shape(T x, T y) { return x + y; }");
    expect(await value("shape(x, x).toArray()")).toBe("[ 2, 4, 6, 8 ]");
    expect((await failure("shape(x)")).message).toContain("TS2554");
  });

  test("that fails leaves what was there, and its type", async () => {
    await value("%%kernel stays\ntemplate <typename T> T stays(T x) { return x + T(1); }");
    await failure("%%kernel stays\ntemplate <typename T> void stays(T x, T& a, T& b) {\n  a = ;\n}");
    expect(await value("stays(x).toArray()")).toBe("[ 2, 3, 4, 5 ]");
    await failure("%%kernel missing\ntemplate <typename T> T missing(T x) { return ; x +; }");
    expect((await failure("missing(x)")).message).toContain("Cannot find name 'missing'");
  });
});

describe("errors", () => {
  test("of syntax are red in the defining cell, at the user's line", async () => {
    const { name, message, traceback } = await failure(
      "%%kernel bad\ntemplate <typename T>\nT bad(T x) {\n\treturn x +;\n}",
    );
    expect(name).toBe("CompileError");
    expect(message).toMatch(
      /^bad does not compile: 1 error\.\nIn\[\d+\]:4:12: error: expected .*\n {3}4 \| \treturn x \+;\n {5}\| \t {10}\^$/,
    );
    expect(traceback).toBe(`CompileError: ${message}`);
  });

  test("of a dtype come at the first call with it, for every dtype", async () => {
    await value("%%kernel bits\ntemplate <typename T>\nT bits(T x) {\n  return x & 1;\n}");
    for (const [dtype, type, more] of [
      ["float32", "float", ""],
      ["float64", "double", "\nIt failed for float32 too."],
    ]) {
      const { message } = await failure(`bits(x.to("${dtype}"))`);
      expect(message.replace(/In\[\d+\]/, "In[n]")).toBe(
        `bits does not compile for ${dtype}: 1 error.\nIn[n]:4:12: error: invalid operands of types '${type}' and 'int' to binary 'operator&'\n   4 |   return x & 1;\n     |            ^${more}`,
      );
    }
    expect(await value("bits(jl.arange(3)).toArray()")).toBe("[ 0, 1, 0 ]");
    expect((await failure("bits(x)")).message).toContain("\nIt failed for float64 too. It works for int32.");
  });

  test("of too many tensors in a call say what stands behind the last one", async () => {
    await value("%%kernel halved\nfloat halved(float a) { return a / 2; }");
    const { name, message } = await failure("halved(jl.ones([2]), jl.ones([2]))");
    expect(name).toBe("TypeScriptError");
    expect(message).toMatch(/TS2345(?:.*\n)+The functor takes fewer tensors/);
  });

  test.each([
    ["an empty body", "%%kernel f\n  \n", "the cell body is empty"],
    ["no function", "%%kernel f\nint x;", "%%kernel: The text defines no function."],
    [
      "two templates of one name",
      "%%kernel f\ntemplate <typename T> T f(T x) { return x; }\n\ntemplate <typename T> T f(T x) { return -x; }",
      "%%kernel: f is defined twice, at lines 2 and 4.",
    ],
    ["nothing returned", "%%kernel\ntemplate <typename T> T f(T x) { }", "its body has no return statement."],
    [
      "a misspelt return",
      "%%kernel\ntemplate <typename T> T f(T x) {\n  T y = x * x;\n  if (x > T(0)) y = -y;\n  retrun y;\n}",
      'its body has no return statement: line 5 has retrun. Did you mean "return"?',
    ],
    ["no result", "%%kernel\ntemplate <typename T> void f(T x) { }", "f returns void"],
  ])("%s is one line of IPython's kind", async (_, code, text) => {
    const { name, message, traceback } = await failure(code);
    expect(name).toBe("UsageError");
    expect(message).toContain(text);
    expect(traceback).toBe(`UsageError: ${message}`);
    expect(message).not.toContain("\n");
  });
});

test("the functor tagged template gives the same function in a .ts file and in a cell", async () => {
  writeFileSync(
    join(folder, "half.ts"),
    'import { functor } from "jitlab";\nexport const half = functor`template <typename T> T half(T x) { return x / T(2); }`;\n',
  );
  expect(await value('import { half } from "./half";\nhalf(x).toArray()')).toBe("[ 0.5, 1, 1.5, 2 ]");
  expect(
    await value(
      'functor({ returns: "bool" })`template <typename T> bool big(T x) { return x > 2; }`(x).toArray()',
    ),
  ).toBe("[ false, false, true, true ]");
});
