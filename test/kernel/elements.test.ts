// Elements of a document as values of cells, and markers inside exported cells.
import { expect, test } from "vitest";
import { formatScript, parseScript } from "../../dist/kernel/export/percent-script.js";
import { ofType, useKernel } from "../support/kernel.js";

const kernel = useKernel({ env: { JITLAB_DEVICE: "cpu" } });

async function shown(code: string) {
  return ofType(await kernel().execute(code), "execute_result")[0]?.content.data as Record<string, string>;
}

test("an element is shown as what it is", async () => {
  expect(await shown('({ nodeType: 1, outerHTML: "<figure><b>x</b></figure>" })')).toEqual({
    "text/html": "<figure><b>x</b></figure>",
    "text/plain": "<figure> element",
  });
  const svg = '<svg width="1"><path/></svg>';
  expect(await shown(`({ nodeType: 1, outerHTML: '${svg}' })`)).toEqual({
    "text/html": svg,
    "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg" width="1"><path/></svg>',
    "text/plain": "<svg> element",
  });
});

test("what only looks like one is not", async () => {
  for (const code of [
    '({ outerHTML: "<b>" })',
    "({ nodeType: 1, outerHTML: 5 })",
    "new Proxy({}, { get() { throw 1 } })",
  ])
    expect(Object.keys(await shown(code))).toEqual(["text/plain"]);
});

test("a cell's line that looks like a marker stays in its cell", () => {
  const sources = ["1\n// %%\n2", "// %% [markdown]\n3", "// // %%\n4", "//%% x", "`\n// %%\n`"];
  const cells = sources.map((source) => ({
    cell_type: "code" as const,
    source,
    metadata: {},
    outputs: [],
    execution_count: null,
  }));
  const script = formatScript({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 } as never);
  expect(parseScript(script).cells.map(({ source }) => source)).toEqual(sources);
});
