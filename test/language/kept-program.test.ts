// Cells in a program that is kept for several of them: everything that a conversion gives is as with a new program for each,
// and what needs a new one gets it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CellProgram } from "../../dist/kernel/language/cell-program.js";
import { KeptProgram } from "../../dist/kernel/language/kept-program.js";
import { Libraries } from "../../dist/kernel/language/libraries.js";
import { openService } from "../../dist/kernel/language/request-loop.js";
import { loadTypeScript } from "../../dist/kernel/language/typescript.js";
import { notebooks } from "../support/cell-corpus.js";
import { makeService } from "../support/cell-runner.js";
import { drawn } from "../support/draw.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-kept-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A cell, or what happens before the next one. */
type Step = string | (() => void);

interface Converted {
  readonly cell: string;
  /** Whether a program that was there already served. */
  readonly kept: boolean;
  /** All that the conversion gives, and the declarations after it. */
  readonly all: unknown;
}

/** Converts the cells of a notebook in a service of its own. */
function convert(steps: readonly Step[], cwd = folder): Converted[] {
  const service = makeService(cwd);
  const { open } = KeptProgram.prototype;
  const converted = [];
  let kept = false;
  KeptProgram.prototype.open = function (...args) {
    const cell = open.apply(this, args);
    kept = cell !== undefined;
    return cell;
  };
  try {
    for (const [index, step] of steps.entries()) {
      if (typeof step !== "string") step();
      else {
        kept = false;
        const conversion = service.convert(step, `In[${index + 1}]`);
        converted.push({ cell: step, kept, all: [conversion, service.state] });
      }
    }
  } finally {
    KeptProgram.prototype.open = open;
    service.close();
  }
  return converted;
}

/** The same with a new program for each cell. */
function convertAnew(steps: readonly Step[], cwd = folder): Converted[] {
  const { openQuickly, open } = CellProgram.prototype;
  CellProgram.prototype.openQuickly = open;
  try {
    return convert(steps, cwd);
  } finally {
    CellProgram.prototype.openQuickly = openQuickly;
  }
}

// The members of a union stand in the order in which the checker first met them, which means nothing.
const sorted = (text: string) =>
  text.replace(/[\w"'.]+(?: \| [\w"'.]+)+/g, (union) => union.split(" | ").sort().join(" | "));

const comparable = (all: readonly Converted[]) =>
  all.map(({ cell, all: given }) => ({ cell, given: sorted(JSON.stringify(given, null, 1)) }));

/** Compares both ways, and gives for each cell whether a kept program served. */
function compared(steps: readonly Step[]): boolean[] {
  const quickly = convert(steps);
  expect(comparable(quickly)).toEqual(comparable(convertAnew(steps)));
  return quickly.map(({ kept }) => kept);
}

const tensors = [
  'import * as jl from "jitlab"',
  "const x = jl.tensor([1, 2, 3])",
  "x.foo",
  "x.foo",
  "%time x.add(1)",
  "%%timings\nx.mul(2)",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a cell's text
  "const w = jl.fuse`sin(${x})`",
  "w.sum().item()",
  "using y = x.add(1);\ny.sum().item()",
  "let t: jl.Tensor = x",
  "t = x.neg(); t.shape",
  "t + 1",
  "%%kernel twice\ntemplate <typename T> T twice(T x) { return x + x; }",
  "twice(x)",
  "twice('x')",
  "// @ts-expect-error\nx.nope",
  "// @ts-expect-error\nx.shape",
];

const scopes = [
  "class A { private old = 1 }",
  "const a = new A()",
  "class A { young = 1 }",
  "const b = a; const both = [a, new A()] as const",
  "b.young",
  "const c: A = a",
  "class A { third = 2 }\nfunction make() { return new A() }",
  "make().third",
  "const a = make()",
  "const c: A = a",
  "interface Late { v: number }",
  "const late: Late = { v: 1 }",
  "interface Late { w: string }",
  "const other: Late = { w: 's' }; [late.v, other.w]",
  "late.w",
  "abstract class Base<T> { abstract get(): T }",
  "class Of extends Base<A> { get() { return a } }",
  "new Of().get().third",
  "type Deep<T> = { [K in keyof T]: T[K] extends object ? Deep<T[K]> : K }",
  "declare const deep: Deep<{ p: { q: number } }>",
  "const read = () => deep.p.q",
  "let z: string = 5",
  "let z = 5",
  "z = 'a'",
  "const unique: unique symbol = Symbol()",
  "const keyed = { [unique]: 1 }",
  "keyed[unique].toFixed()",
  "1 +",
  "function assertIs(v: unknown): asserts v is string {}",
  "const v: unknown = 's'; assertIs(v); v.length",
  "function dec(value: unknown, context: ClassDecoratorContext) {}\n@dec class Decorated {}",
  "new Decorated()",
];

describe("a kept program converts as a new one does", () => {
  // A new program for each cell takes most of a second.
  test.each(drawn(Object.entries(notebooks), 2))("%s", (_, cells) => {
    expect(compared(cells)).toContain(true);
  });

  // The second time every declaration replaces an earlier one.
  test.each(Object.entries({ tensors, scopes }))("%s, twice", (_, cells) => {
    expect(compared([...cells, ...cells]).filter((kept) => kept).length).toBeGreaterThan(cells.length / 2);
  });

  test("hundreds of cells, across a change of the program", () => {
    const cells = Array.from({ length: 230 }, (_, i) => `const v${i % 7} = ${i}; v${i % 7} + 1`);
    const kept = compared(cells);
    expect(kept.slice(0, 3)).toEqual([false, true, true]);
    expect(kept.slice(3)).toContain(false);
  });

  test("completion and hover between the cells", () => {
    const service = makeService(folder);
    service.convert("const word = 'abc'", "In[1]");
    expect(service.complete("word.toUp", 9).matches.map(({ text }) => text)).toEqual(["toUpperCase"]);
    service.convert("const word = 5", "In[2]");
    expect(service.complete("word.toFi", 9).matches.map(({ text }) => text)).toEqual(["toFixed"]);
    service.convert("const word = [word2()]; function word2() { return 's' }", "In[3]");
    expect(service.inspect("word", 2, 0)?.text).toBe("const word: string[]");
    expect(service.convert("word[0].length", "In[4]").errors).toEqual([]);
    service.close();
  });
});

test("notebooks of one folder do not see each other's cells", () => {
  const [one, other] = [makeService(folder), makeService(folder)];
  expect(one.convert("const here = 1; here", "In[1]").js).toContain("exports.$last = here;");
  expect(other.convert("'there'", "In[1]").js).toContain("exports.$last = 'there'");
  expect(other.convert("here", "In[2]").errors).toHaveLength(1);
  one.close();
  other.close();
});

describe("a new program is made", () => {
  test("for a module that no cell has imported", () => {
    const cells = [
      "1",
      'import { join } from "node:path"',
      "join('a')",
      'import { sep } from "node:path"',
      "sep",
    ];
    expect(compared(cells)).toEqual([false, false, true, true, true]);
    const later = ["1", 'const fs = await import("node:fs")', "fs.existsSync('a')", "fs.nope"];
    expect(compared(later)).toEqual([false, false, true, true]);
    const types = ["1", 'type Path = import("node:path").ParsedPath', "let p: Path"];
    expect(compared(types)).toEqual([false, false, true]);
  });

  test("for a module that is not there, until it is installed", () => {
    const manifest = '{ "name": "late", "types": "late.d.ts" }';
    const cells: Step[] = [
      'import late from "late"',
      'import late from "late"',
      () => write("node_modules/late/package.json", manifest),
      () => write("node_modules/late/late.d.ts", "declare const late: number; export default late;"),
      'import late from "late"',
      "late.toFixed()",
      () => rmSync(join(folder, "node_modules"), { recursive: true }),
    ];
    expect(compared(cells)).toEqual([false, false, false, true]);
  });

  test("for declare global, with it and after it", () => {
    const cells = [
      "1",
      "declare global { interface Array<T> { own: T } }\n2",
      "[1].own.toFixed()",
      "[1].own.nope",
    ];
    expect(compared(cells)).toEqual([false, false, false, false]);
    const augmented = ["1", 'declare module "node:path" { export const own: number }', "1"];
    expect(compared(augmented)[1]).toBe(false);
  });

  test("for a reference to types", () => {
    expect(compared(["1", '/// <reference lib="dom" />\ndocument.title', "2"])[1]).toBe(false);
  });

  test("for a file beside the notebook, and each time that it has changed", () => {
    const cells: Step[] = [
      () => write("helper.ts", "export const base: number = 2;\n"),
      'import { base } from "./helper"',
      "base.toFixed()",
      "base.length",
      () => write("helper.ts", "export const base: string = 'two and more';\n"),
      "base.length",
      "base.toFixed()",
      'import { base } from "./helper"; base',
      () => rmSync(join(folder, "helper.ts")),
      "base",
    ];
    expect(compared(cells)).toEqual([false, true, true, false, true, false, false]);
  });
});

describe("a program that another folder left", () => {
  const cells = [
    "1 + 1",
    'import * as jl from "jitlab";\nlet x = jl.ones([2]);\nx.add(1)',
    "display(x); x = x.mul(2); x.shape",
    "x.nope",
    'import { join } from "node:path";\njoin("a", "b")',
    "const wrong: string = x.item();",
    "interface A { x: number }\nconst a: A = { x: 1 };",
    "interface A { y: number }",
    "a.x",
    "%timings\nx.add(3)",
    "declare global { var added: number; }\nglobalThis.added = 1;",
    "added + 1",
  ];
  const root = join(import.meta.dirname, "../..");
  const converted = (libraries: Libraries, cwd: string) => {
    const service = openService(libraries, root, cwd);
    service.warmUp();
    return cells.map((cell, i) => service.convert(cell, `In[${i + 1}]`));
  };

  test("converts cells as one of its own does", () => {
    const libraries = new Libraries(loadTypeScript());
    const other = openService(libraries, root, "/");
    other.convert('import * as jl from "jitlab";\nlet x = 5; const hidden = jl.ones([2]);', "In[1]");
    other.keepWarm();
    expect(libraries.warm).toBeDefined();
    const folder = mkdtempSync(join(tmpdir(), "jitlab-warm-"));
    try {
      expect(converted(libraries, folder)).toEqual(converted(new Libraries(loadTypeScript()), folder));
      // Another folder's variables are none of this one's.
      expect(openService(libraries, root, folder).convert("hidden", "In[1]").errors).toHaveLength(1);
      // A project with options of its own has a program of its own.
      writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "strict": true } }');
      const strict = openService(libraries, root, folder).convert("const n: number = null;", "In[1]");
      expect(strict.errors).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
