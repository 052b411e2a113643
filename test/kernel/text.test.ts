// Text that leaves a kernel: half a character never does, and jitlab's own cuts make none of whole ones.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { wellFormedJson } from "../../dist/kernel/protocol/well-formed.js";
import { shortLabel } from "../../dist/magics/render/layout.js";
import { cut } from "../../dist/runtime/base/cut.js";
import { useKernel } from "../support/kernel.js";

const kernel = useKernel({ env: { JITLAB_DEVICE: "cpu" } });
const party = "\u{1f389}";
const half = "\\ud83c";

const whole = (text: string) => text.replace(/\p{Cs}/gu, "\ufffd");

/** All that a request's messages say, as one text. */
async function said(code: string): Promise<string> {
  const { reply, published } = await kernel().execute(code, { stopOnError: false });
  return texts([reply.content, ...published.map(({ content, metadata }) => [content, metadata])]).join("\n");
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.entries(value).flat().flatMap(texts) : [];
}

describe("half a character becomes the replacement character", () => {
  test.each([
    ["printed", `console.log("Run ${party} done".slice(0, 5))`],
    ["thrown", `throw new Error("${half}")`],
    ["in an error's name", `throw Object.assign(new Error("x"), { name: "${half}" })`],
    ["in a MIME bundle", `({ [Symbol.for("Jupyter.display")]() { return { "text/html": "${half}" } } })`],
    [
      "in JSON of a MIME bundle",
      `display({ "application/json": { "${half}": ["${half}"] } }, { raw: true }); 0`,
    ],
    ["in a template", `html\`\${"${party}".slice(1)}\``],
    ["in a comm", `comms.open("t", { "${half}": "${half}" }); console.log("${half}")`],
    ["in a display's name", `display(1, { display_id: "${half}" }); console.log("${half}")`],
    ["in the cell itself", `const s = "${party[0]}"; console.log(s)`],
  ])("%s", async (_, code) => {
    const text = await said(code);
    expect(text).not.toMatch(/\p{Cs}/u);
    expect(text).toContain("\ufffd");
  });

  test("two halves that a cell prints one after the other are a character", async () => {
    expect(await said(`process.stdout.write("${half}"); process.stdout.write("\\udf89")`)).toContain(party);
  });

  test("a backslash before the letters of an escape stays", () => {
    for (const text of ["\\ud83c", "\\\\ud83c", "\\\ud83c", party, "\\"]) {
      expect(JSON.parse(wellFormedJson({ [text]: text }))).toEqual({
        [whole(text)]: whole(text),
      });
    }
  });
});

describe("a cut text has whole characters", () => {
  // Each place is tried with the characters one unit later, so that one of the two falls on a character.
  const cells: Record<string, (text: string) => string[]> = {
    "a code frame": (text) => [`const s = "${text.repeat(80)}"; throw new Error("boom");`],
    "a code frame's start": (text) => [`const s = "${text.repeat(80)}", t = null!.x; "${text.repeat(200)}"`],
    "a type error's frame": (text) => [`const s: number = "${text.repeat(80)}" + "${text.repeat(200)}";`],
    "a type": (text) => [`const a = ["${text.repeat(90)}", "b"] as const; const b: number = a;`],
    "a property's type": (text) => [`const o = { "${text.repeat(90)}": 1 }; o.missing;`],
    "a long message": (text) => [`throw new Error("${text}".repeat(60000))`],
    "%whos": (text) => [`const note = "${text.repeat(60)}";`, "%whos"],
    "a long value": (text) => [`["${text.repeat(6000)}"]`, `"${text.repeat(6000)}"`],
    "a value in an error": (text) => ['import * as jl from "jitlab"', `jl.setDevice("${text.repeat(40)}")`],
  };
  test.each(Object.entries(cells))("%s", async (_, make) => {
    for (const text of [party, `a${party}`, `${party}bc${party}`]) {
      for (const shift of ["", "a", "ab"]) {
        for (const code of make(text)) {
          const shown = await said(code.replace('"', `"${shift}`));
          expect(shown).not.toMatch(/\p{Cs}/u);
          expect(shown).not.toContain("\ufffd");
        }
      }
    }
  });

  test("a label of a figure", () => {
    for (let length = 0; length < 60; length++) {
      const label = shortLabel(`${"a".repeat(length)}${party.repeat(40)}`);
      expect(label).not.toMatch(/\p{Cs}/u);
    }
  });

  test("by every position", () => {
    const text = `${party}ab${party}${party}c`;
    for (let start = -text.length; start <= text.length; start++) {
      for (let end = -text.length; end <= text.length; end++) {
        const part = cut(text, start, end);
        expect(part).not.toMatch(/\p{Cs}/u);
        expect(text.slice(start, end)).toContain(part);
      }
    }
    expect(cut("abc", 1)).toBe("bc");
  });
});

test("jitlab run writes a notebook that UTF-8 can hold", async () => {
  const { run } = await import("../../dist/kernel/export/notebook.js").then((module) => ({ run: module }));
  const folder = mkdtempSync(join(tmpdir(), "jitlab-text-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "n.ipynb");
  const cell = {
    cell_type: "code" as const,
    source: party[0]!,
    metadata: {},
    outputs: [],
    execution_count: null,
  };
  writeFileSync(
    path,
    run.formatNotebook({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 } as never),
  );
  expect(JSON.parse(readFileSync(path, "utf8")).cells[0].source).toEqual(["\ufffd"]);
});
