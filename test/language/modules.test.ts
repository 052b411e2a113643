// What cells can import: this package, packages of every kind beside the notebook, and files.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ofType, plain, printed, result, useKernel } from "../support/kernel.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "jitlab-modules-")));
afterAll(() => rmSync(folder, { recursive: true }));

const files: Readonly<Record<string, string>> = {
  "node_modules/common/package.json": '{ "name": "common", "main": "main.js" }',
  "node_modules/common/main.js": "module.exports = { kind: 'common' };",
  "node_modules/modern/package.json":
    '{ "name": "modern", "type": "module", "exports": { "import": "./main.js" } }',
  "node_modules/modern/main.js": "export const kind = 'modern'; export default 7;",
  "node_modules/modern/main.d.ts":
    "export declare const kind: string; declare const n: number; export default n;",
  "node_modules/dual/package.json":
    '{ "name": "dual", "exports": { "./sub": { "types": "./sub.d.ts", "default": "./sub.mjs" } } }',
  "node_modules/dual/sub.mjs": "export const kind = 'dual';",
  "node_modules/dual/sub.d.ts": "export declare const kind: string;",
  "node_modules/waiting/package.json": '{ "name": "waiting", "type": "module", "exports": "./main.js" }',
  "node_modules/waiting/main.js": "export const kind = await Promise.resolve('waiting');",
  "node_modules/waiting/main.d.ts": "export declare const kind: string;",
  "data.json": '{ "answer": 42 }',
  "helper.ts":
    "import { base } from './deeper/base.js';\nexport const twice = (x: number): number => base * x;\n",
  "deeper/base.ts": "export const base: number = 2;\n",
  "failing.ts": "export function fail(): never {\n  throw new Error('in a file');\n}\n",
};
for (const [path, text] of Object.entries(files)) write(path, text);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const kernel = useKernel({ cwd: folder });

describe("a cell imports", () => {
  it.each([
    ["this package", 'import * as jl from "jitlab"; typeof jl.tensor', "'function'"],
    ["this package by a default import", 'import library from "jitlab"; library === jl', "true"],
    ["this package later", 'const later = await import("jitlab"); later === jl', "true"],
    ["this package by require", 'require("jitlab") === jl', "true"],
    ["this package by its path", 'require(require.resolve("jitlab")) === jl', "true"],
    ["a built-in module", 'import { join } from "node:path"; join("a", "b")', "'a/b'"],
    ["the same name anew", 'import { join } from "node:path/posix"; join("c", "d")', "'c/d'"],
    ["a CommonJS package", 'require("common").kind', "'common'"],
    [
      "a package with only an import condition",
      'import n, { kind } from "modern"; [kind, n]',
      "[ 'modern', 7 ]",
    ],
    ["a package with only exports", 'import { kind as dual } from "dual/sub"; dual', "'dual'"],
    ["a package later", '(await import("modern")).kind', "'modern'"],
    ["a package that awaits at its top", '(await import("waiting")).kind', "'waiting'"],
    ["JSON", 'import data from "./data.json"; data.answer + 1', "43"],
    ["JSON with an attribute", 'import data from "./data.json" with { type: "json" }; data.answer', "42"],
    [
      "JSON with an attribute later",
      '(await import("./data.json", { with: { type: "json" } })).default.answer',
      "42",
    ],
    ["JSON by require", 'require("./data.json").answer', "42"],
    ["a TypeScript file, which imports another", 'import { twice } from "./helper"; twice(21)', "42"],
    ["a TypeScript file later", '(await import("./helper")).twice(4)', "8"],
  ])("%s", async (_what, code, value) => {
    const answer = await kernel().execute(code);
    expect(plain((answer.reply.content.traceback as string[]) ?? [])).toBe("");
    expect(result(answer)).toBe(value);
    expect(printed(answer, "stderr")).toBe("");
  });

  it("tslab, whose displays are this kernel's", async () => {
    const imported = 'import * as tslab from "tslab";\nimport { newDisplay } from "tslab";\n';
    const calls =
      'tslab.display.html("<b>h</b>"); tslab.display.markdown("*m*"); tslab.display.png(new Uint8Array([1, 2]));';
    const answer = await kernel().execute(`${imported}${calls}\ntslab.display.raw("text/x-own", "raw");`);
    expect(plain((answer.reply.content.traceback as string[]) ?? [])).toBe("");
    expect(ofType(answer, "display_data").map(({ content }) => content.data)).toEqual([
      { "text/html": "<b>h</b>" },
      { "text/markdown": "*m*" },
      { "image/png": "AQI=" },
      { "text/x-own": "raw" },
    ]);
    const versions = await kernel().execute("Object.keys(tslab.versions).join() + tslab.versions.typescript");
    expect(result(versions)).toBe("'tslab,typescript,node6.0.3'");
    const later = await kernel().execute('(await import("tslab")).display === require("tslab").display');
    expect(result(later)).toBe("true");
    const wrong = await kernel().execute("tslab.display.html(5)");
    expect(wrong.reply.content.evalue).toContain("'number' is not assignable to parameter of type 'string'");
  });

  it("tslab, whose newDisplay() replaces what it showed", async () => {
    const answer = await kernel().execute('const d = newDisplay();\nd.text("one");\nd.text("two");');
    const [first] = ofType(answer, "display_data");
    const [second] = ofType(answer, "update_display_data");
    expect(first?.content).toMatchObject({ data: { "text/plain": "one" } });
    expect(second?.content).toMatchObject({
      data: { "text/plain": "two" },
      transient: first?.content.transient,
    });
  });

  it("a TypeScript file that has changed", async () => {
    write("deeper/base.ts", "export const base: number = 10;\n");
    expect(result(await kernel().execute('import { twice } from "./helper"; twice(21)'))).toBe("210");
  });

  it.each(["ts", "mts", "mjs", "cjs", "js", "json", "deep.mjs", "deep.cjs", "beside.js"])(
    "a changed file: .%s",
    async (end) => {
      const file = `${end.replace(".", "-")}-file.${end}`;
      const forms: Record<string, (value: number) => string> = {
        cjs: (value) => `exports.value = ${value};`,
        json: (value) => `{ "value": ${value} }`,
        "beside.js": (value) => `module.exports = { value: ${value} };`,
      };
      const text = forms[end] ?? ((value: number) => `export const value = ${value};`);
      const load = async () => {
        const code = end.startsWith("deep")
          ? `import * as outer from "./outer-${end}"; outer.value`
          : forms[end]
            ? `import inner from "./${file}"; inner.value`
            : `import { value } from "./${file}"; value`;
        const answer = await kernel().execute(code);
        expect(plain((answer.reply.content.traceback as string[]) ?? [])).toBe("");
        return result(answer);
      };
      write("outer-deep.mjs", 'export { value } from "./deep-mjs-file.deep.mjs";');
      write("outer-deep.cjs", 'exports.value = require("./deep-cjs-file.deep.cjs").value;');
      const written = end === "deep.cjs" ? forms.cjs! : text;
      for (const value of [1, 22, 333]) {
        write(file, written(value));
        expect(await load()).toBe(String(value));
      }
    },
  );

  it("a changed file by require and by import() with a computed name", async () => {
    for (const value of [1, 22]) {
      write("computed.cjs", `exports.value = ${value};`);
      write("computed.json", `{ "value": ${value} }`);
      const code = 'const stem = "./computed"; [require(stem + ".cjs").value, require(stem + ".json").value]';
      expect(result(await kernel().execute(code))).toBe(`[ ${value}, ${value} ]`);
    }
  });

  it("a changed file that awaits while it loads, with a note that Node keeps the first one", async () => {
    write("slow.mjs", "export const value = await 1;");
    expect(result(await kernel().execute('(await import("./slow.mjs")).value'))).toBe("1");
    write("slow.mjs", "export const value = await 22;");
    const answer = await kernel().execute('(await import("./slow.mjs")).value');
    expect(printed(answer, "stderr")).toContain(`${join(folder, "slow.mjs")} has changed.`);
    expect(printed(await kernel().execute("1"), "stderr")).toBe("");
  });

  it.each(["mjs", "ts"])("an .%s file that declares the names of CommonJS", async (end) => {
    write(
      `own-names.${end}`,
      `import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
const require = createRequire(import.meta.url);
const __filename = fileURLToPath(import.meta.url);
const __dirname = path.dirname(__filename);
const { module } = { module: 3 };
export const here = [__dirname, require("node:path") === path, { module }.module];
export { __filename as file, module };
export default function own() { return module; }
`,
    );
    const code = `import own, { here, file, module } from "./own-names.${end}"; [here, file, module, own()]`;
    const answer = await kernel().execute(code);
    expect(plain((answer.reply.content.traceback as string[]) ?? [])).toBe("");
    const path = join(folder, `own-names.${end}`);
    expect(result(answer)?.replace(/\s+/g, " ")).toBe(`[ [ '${folder}', true, 3 ], '${path}', 3, 3 ]`);
  });

  it("a file whose error names it", async () => {
    const answer = await kernel().execute('import { fail } from "./failing";\nfail();');
    const { ename, traceback } = ofType(answer, "error")[0]!.content;
    expect(ename).toBe("Error");
    expect(plain(traceback)).toContain(`at fail (${join(folder, "failing.ts")}:2:`);
    expect(plain(traceback)).toContain("> 2 | fail();");
  });

  it("nothing that is not there, and says so", async () => {
    const answer = await kernel().execute('const gone = await import("not-installed")');
    expect(answer.reply.content.evalue).toContain("not-installed");
    expect(result(await kernel().execute("1"))).toBe("1");
  });
});
