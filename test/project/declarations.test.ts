// The package's declarations are read by programs without the types of Node: they import nothing of it.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  exports: Readonly<Record<string, { readonly types?: string }>>;
};

test("declarations import nothing of Node", () => {
  const reached = new Set<string>();
  const foreign: string[] = [];
  const visit = (file: URL) => {
    if (reached.has(file.href)) return;
    reached.add(file.href);
    const text = readFileSync(file, "utf8");
    for (const [, from = ""] of text.matchAll(/(?:from |import\()"([^"]+)"/g)) {
      if (from.startsWith(".")) visit(new URL(from.replace(/\.js$/, ".d.ts"), file));
      else if (from.startsWith("node:"))
        foreign.push(`${file.pathname.slice(root.pathname.length)}: ${from}`);
    }
  };
  for (const { types } of Object.values(exports)) if (types !== undefined) visit(new URL(types, root));
  expect(reached.size).toBeGreaterThan(50);
  expect(foreign).toEqual([]);
});
