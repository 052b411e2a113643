// llms.txt and AGENTS.md: what a program that writes code for jitlab, or changes jitlab, reads first. Both are written from the pages
// and from package.json, so that they name what exists.
import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const text = (path) => readFileSync(new URL(path, root), "utf8");

/** The first heading of a page. */
function titleOf(path) {
  return /^# (.+)$/m.exec(text(path))?.[1] ?? path;
}

/** llms.txt: the pages with their titles, and what differs from PyTorch. */
export function llmsText() {
  const docs = readdirSync(new URL("docs/", root)).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  const notebooks = readdirSync(new URL("notebooks/", root)).filter((name) => name.endsWith(".ipynb"));
  const line = (path) => `- [${titleOf(path)}](${path})`;
  const [, sentence = ""] = /^# jitlab\n\n([\s\S]*?)\n\n/.exec(text("README.md")) ?? [];
  return `${[
    "# jitlab",
    "",
    `> ${sentence.replace(/\s+/g, " ")}`,
    "",
    'In a cell or a program: `import * as jl from "jitlab"`. Names, options and results are PyTorch\'s, in camelCase (`jl.floorDivide`).',
    "Options are one object at the end: `x.sum({ dim: 1, keepdim: true })`. Tensors have methods instead of operators: `x.add(y)`, `x.gt(0)`.",
    "`x.item()` and `x.toArray()` read elements; int64 elements are bigints. Calls are synchronous.",
    "",
    "## Documentation",
    "",
    ...docs.map((name) => line(`docs/${name}`)),
    "",
    "## Tutorials",
    "",
    ...notebooks.map((name) => {
      const [first] = JSON.parse(text(`notebooks/${name}`)).cells;
      const [, title = name] = /^# (.+)$/m.exec(first.source.join("")) ?? [];
      return `- [${title}](notebooks/${name})`;
    }),
  ].join("\n")}\n`;
}

/** AGENTS.md: how to build, test and change jitlab, from CONTRIBUTING.md. */
export function agentsPage() {
  const section = (title) => {
    const [, body = ""] =
      new RegExp(`^## ${title}\\n\\n([\\s\\S]*?)(?=\\n## |$(?![\\s\\S]))`, "m").exec(
        text("CONTRIBUTING.md"),
      ) ?? [];
    if (body === "") throw new Error(`CONTRIBUTING.md has no section ${title}.`);
    return [`## ${title}`, "", body.trim(), ""];
  };
  return `${[
    "<!-- Written by scripts/pages.mjs (npm run docs) from CONTRIBUTING.md. -->",
    "# For agents that change jitlab",
    "",
    "Read [HOW_IT_WORKS.md](HOW_IT_WORKS.md) first. After a change run `npm run build`, then the tests of the part: `npx vitest run test/FOLDER/NAME.test.ts`.",
    "",
    ...section("Where things are"),
    ...section("How to change a part"),
    ...section("House rules"),
  ]
    .join("\n")
    .trimEnd()}\n`;
}
