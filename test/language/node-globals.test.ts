// The type environment is the Node that runs: all its globals and their members are known, whatever a project's tsconfig.json
// says, and the paths of that file work.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CellRunner } from "../support/cell-runner.js";
import { plain, result, useKernel } from "../support/kernel.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "jitlab-node-globals-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Node has them, and no declaration names them: old forms that every checker leaves out, and internals.
const undeclared = [
  /^Object\.prototype\.__/,
  /^Date\.prototype\.(?:toGMTString|getYear|setYear)$/,
  /^console\.(?:_|context$|createTask$)/,
  /^Event\.[A-Z_]+$/,
  // Node's own declarations are behind.
  /^(?:Request|Response)\.prototype\.(?:bytes|attribute|is(?:Reload|History)Navigation)$/,
  /^MessagePort\.prototype\.(?:hasRef|onmessage|onmessageerror)$/,
  /^Performance(?:ResourceTiming)?\.prototype\.(?:initiatorType|nextHopProtocol|responseStart|responseStatus|deliveryType|onresourcetimingbufferfull)$/,
  /^PerformanceObserver\.supportedEntryTypes$/,
  /^WritableStreamDefaultController\.prototype\.signal$/,
  /^(?:JSON\.(?:is)?[rR]awJSON|Blob\.prototype\.textStream|Navigator\.prototype\.locks|WebAssembly\.(?:Suspend(?:ing|Error)|promising))$/,
  /^SubtleCrypto\.(?:supports|prototype\.(?:getPublicKey|(?:en|de)capsulate(?:Bits|Key)))$/,
];
const isName = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name);
// What the tests themselves add to the globals.
const foreign = /vitest|vite|^__|^\$/i;
const globals = Object.getOwnPropertyNames(globalThis).filter((name) => isName(name) && !foreign.test(name));

function members(): string[] {
  return globals.flatMap((name) => {
    const value = Reflect.get(globalThis, name) as any;
    if ((typeof value !== "object" && typeof value !== "function") || value === null) return [];
    if (["globalThis", "global", "process", "expect"].includes(name)) return [];
    const own = (path: string, owner: object) =>
      Object.getOwnPropertyNames(owner)
        .filter((one) => isName(one) && !["caller", "callee", "arguments", "constructor"].includes(one))
        .map((one) => `${path}.${one}`);
    const prototype =
      typeof value === "function" && value.prototype ? own(`${name}.prototype`, value.prototype) : [];
    return [...own(name, value), ...prototype];
  });
}

describe("the checker knows", () => {
  const runner = new CellRunner(folder, {});
  const refused = (names: readonly string[]) =>
    runner.convert(names.map((name) => `${name};`).join("\n")).errors.map(({ line }) => names[line]!);

  test("each global of this Node", () => {
    expect(refused(globals)).toEqual([]);
  });

  test("their members and those of their prototypes", () => {
    expect(refused(members()).filter((name) => !undeclared.some((pattern) => pattern.test(name)))).toEqual(
      [],
    );
  });

  test.each([
    "const w: WebAssembly.Memory = new WebAssembly.Memory({ initial: 1 }); w.buffer",
    "const c: Crypto = crypto, k: CryptoKey | null = null, s: SubtleCrypto = c.subtle; [c, k, s]",
    "const p: Performance = performance; p.now()",
    "const b = new ArrayBuffer(8, { maxByteLength: 16 }); b.resize(12); [b.resizable, b.maxByteLength]",
    "/[\\p{L}--[a-z]]/v.test('é')",
    "/(?<year>\\d+)/dgu.exec('1')",
    "const { instance } = await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), {}); instance.exports",
  ])("%s", (cell) => {
    expect(runner.convert(cell).errors).toEqual([]);
  });

  test("which names and flags this Node lacks", () => {
    expect(runner.convert("/a/vu").errors).toHaveLength(1);
    expect(runner.convert("document.title").errors).toHaveLength(1);
  });
});

describe("beside a tsconfig.json", () => {
  const project = join(folder, "project");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const options = {
    target: "ES2020",
    lib: ["ES2020", "DOM"],
    module: "ESNext",
    moduleResolution: "bundler",
    baseUrl: ".",
    paths: { "@/*": ["./src/*"], "#size": ["./src/model.ts"] },
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions: options }));
  write("src/model.ts", "export const size = 5;\n");
  write("src/plain.mjs", 'export { size } from "@/model"; export const plain = 1;\n');
  write("src/old.cjs", "exports.old = 7;\n");
  write("src/use.ts", 'import { size } from "@/model"; export const twice = 2 * size;\n');
  write("src/later.ts", 'export const later = async () => (await import("@/model")).size;\n');
  const kernel = useKernel({ cwd: project });

  test.each([
    ["an older lib takes nothing away", 'Object.hasOwn({ a: 1 }, "a")', "true"],
    ["nor newer methods", "[3, 1].toSorted()", "[ 1, 3 ]"],
    ["a lib adds", "const d: Document | undefined = undefined; d", "undefined"],
    ["a path in a cell", 'import { size } from "@/model"; size', "5"],
    ["a path without a star", 'import { size as same } from "#size"; same', "5"],
    ["a path in a file", 'import { twice } from "./src/use"; twice', "10"],
    ["a path in import()", '(await import("@/model")).size', "5"],
    ["a path in a file's import()", 'import { later } from "@/later"; await later()', "5"],
    ["a path to JavaScript", 'import { size as s, plain } from "@/plain.mjs"; [s, plain]', "[ 5, 1 ]"],
    ["a path to CommonJS", 'import old from "@/old.cjs"; old.old', "7"],
    ["a file from baseUrl", 'import { size as based } from "src/model"; based', "5"],
  ])("%s", async (_, code, value) => {
    const answer = await kernel().execute(code, { stopOnError: false });
    expect(plain((answer.reply.content.traceback as string[]) ?? [])).toBe("");
    expect(result(answer) ?? "undefined").toBe(value);
  });

  test("a path that leads nowhere is an error", async () => {
    const { reply } = await kernel().execute('import { size } from "@/nowhere"', { stopOnError: false });
    expect(reply.content.evalue).toContain("TS2307");
  });
});
