// The generated pages of docs/ are up to date.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { codeBlocks } from "../support/page-blocks.js";

// @ts-expect-error a script without types
const { pages } = (await import("../../scripts/pages.mjs")) as {
  pages: Record<string, () => string | Promise<string>>;
};

// @ts-expect-error a script without types
const { diagrams } = (await import("../../scripts/diagrams.mjs")) as {
  diagrams: Record<string, () => string>;
};

test.each(Object.keys(diagrams))("the diagram %s is up to date (node scripts/diagrams.mjs)", (name) => {
  const committed = readFileSync(new URL(`../../assets/diagrams/${name}`, import.meta.url), "utf8");
  expect(committed).toBe(diagrams[name]?.());
});

test.each(Object.keys(pages))("%s is up to date (npm run docs)", async (path) => {
  const committed = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  expect(committed).toBe(await pages[path]?.());
});

test("every record of bench/results is named by a page, a notebook or a script", () => {
  const root = new URL("../../", import.meta.url);
  const texts = ["README.md", "CHANGELOG.md", "docs", "notebooks", "scripts", "bench"].flatMap((place) => {
    const url = new URL(place, root);
    if (place.endsWith(".md")) return [readFileSync(url, "utf8")];
    return readdirSync(url, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(md|ipynb|mjs|py|ts)$/.test(entry.name))
      .map(({ name }) => readFileSync(new URL(`${place}/${name}`, root), "utf8"));
  });
  const records = readdirSync(new URL("bench/results", root));
  expect(records.filter((name) => !texts.some((text) => text.includes(name)))).toEqual([]);
});

test("the reference has every operation", async () => {
  const page = await pages["docs/operations.md"]?.();
  for (const name of Object.keys(jl.ops)) expect(page).toContain(`\n### ${name}\n`);
});

test("the lines of the page of basics give what they say", () => {
  jl.setDevice("cpu");
  const page = readFileSync(new URL("../../docs/basics.md", import.meta.url), "utf8");
  const lines = codeBlocks(page, "ts").flatMap((block) => block.trim().split("\n"));
  expect(lines.length).toBeGreaterThan(30);
  for (const line of lines.filter((one) => one !== "" && !one.startsWith("import "))) {
    const [call, says] = line.replace("; //", " //").split(" // ");
    const run = (text: string) => new Function("jl", `return ${text};`)(jl);
    expect(run(call as string), line).toEqual(run(says as string));
  }
});
