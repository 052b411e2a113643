// The texts of every magic: its help, outputs and errors, as files in test/__snapshots__/magics, one per magic. Times and
// sizes are removed.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer, KernelClient } from "../../dist/kernel/cli/client.js";
import type { Magic } from "../../dist/magics/magic.js";
import { helpText, magics } from "../../dist/magics/table.js";
import { plain, startChecked } from "../support/kernel.js";
import { setUp, type Uses, uses } from "../support/magic-uses.js";
import { privateCache } from "../support/private-cache.js";

const texts = join(import.meta.dirname, "..", "__snapshots__", "magics");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "jitlab-texts-")));
let kernel: KernelClient;

beforeAll(async () => {
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "helper.ts"), "export const answer = 42;\n");
  // No toolkit is found, so that what is said of a missing one does not depend on the machine.
  const none = { CUDA_HOME: "", VIRTUAL_ENV: "", CONDA_PREFIX: "", LD_LIBRARY_PATH: "" };
  const env = {
    ...none,
    HOME: folder,
    JITLAB_DEVICE: "cpu",
    JITLAB_CACHE_DIR: privateCache(join(folder, "cache")),
  };
  kernel = (await startChecked({ cwd: folder, env })).client;
});
afterAll(async () => {
  await kernel.shutdown();
  rmSync(folder, { recursive: true, force: true });
});

function run(code: string): Promise<Answer> {
  return kernel.execute(code, { stopOnError: false });
}

/** What a cell shows in a terminal, in the order in which it comes. */
function transcript({ reply, published }: Answer): string {
  const shown = published.map(({ header, content }): string => {
    const data = content.data as Record<string, string> | undefined;
    if (header.msg_type === "stream")
      return `${content.name === "stderr" ? "stderr: " : ""}${plain([content.text])}`;
    if (header.msg_type === "error") return plain(content.traceback);
    if (data === undefined) return "";
    const forms = Object.keys(data).filter((mime) => mime !== "text/plain" && mime !== "text/html");
    return [...forms.map((mime) => `[${mime}]`), data["text/plain"] ?? ""].join("\n");
  });
  const payload = (reply.content.payload as { text: string }[] | undefined) ?? [];
  return [...shown, ...payload.map(({ text }) => `next cell: ${text}`)]
    .filter((text) => text !== "")
    .map((text) => text.replace(/\n$/, ""))
    .join("\n");
}

/** Times, sizes, processes, cells and this machine's names as words; columns two spaces apart. */
function normal(text: string, { masks = [] }: Uses): string {
  const everywhere: Uses["masks"] = [
    [/-?\b[\d.,]+(?:e[+-]?\d+)? ?(?:ns|μs|ms|s)\b/g, "<time>"],
    [/\b[\d.,]+ (?:bytes?|[KMGT]iB)\b/g, "<size>"],
    [/\b(?:x86-64|arm64|aarch64)-[0-9a-f]{8}\b/g, "<arch>"],
    [/\b(?:just now|[\d,]+ (?:minutes?|hours?|days?) ago)/g, "<age>"],
    [/\bprocess \d+/g, "process N"],
    [/\bIn\[\d+/g, "In[N"],
    [/\blines \d+ to \d+:/g, "lines N to N:"],
    // Node says the place in JSON since version 22.
    [/(?<=in JSON at position \d+) \(line \d+ column \d+\)/g, ""],
  ];
  let told = text.replaceAll(folder, "<folder>");
  for (const [pattern, words] of [...everywhere, ...masks]) told = told.replace(pattern, words);
  return told.replace(/(?<=\S) {2,}/g, "  ").replace(/ +$/gm, "");
}

/** Wrong uses that every magic has, beside its own. */
function wrongUses(magic: Magic, { wrong = [] }: Uses): string[] {
  const shared: string[] = [];
  for (const kind of magic.kinds) {
    const name = kind === "cell" ? `%%${magic.name}` : `%${magic.name}`;
    if (kind === "cell") shared.push(name);
    if (!magic.rawArguments)
      shared.push(kind === "cell" ? `${name} --no-such-option\n1` : `${name} --no-such-option`);
  }
  return [...shared, ...wrong];
}

test("each magic has uses and a file of texts, and nothing else has", () => {
  const names = magics.map(({ name }) => name).sort();
  expect(Object.keys(uses).sort()).toEqual(names);
  expect(existsSync(texts) ? readdirSync(texts).sort() : []).toEqual(names.map((name) => `${name}.txt`));
});

// The user's own error is shown as in any cell; the package's own are one line, as IPython's are.
const ownErrors =
  /^(?:%{1,2}(?:time|timeit|bench)\b.*(?:null|JSON|throw|\(1)|%%time\nthrow|%%nan\n(?!x)|%%digits\n|%config nan = stop\n|%run nowhere\.ts|%%(?:bash|sh)\n|scale\()/;

describe("what it says", () => {
  test.each(magics.map((magic) => [magic.name, magic] as const))("%s", async (name, magic) => {
    const own = uses[name] ?? { cells: [] };
    for (const code of setUp) expect((await run(code)).reply.content).toMatchObject({ status: "ok" });
    const parts = [helpText(magic)];
    for (const code of own.cells) {
      const answer = await run(code);
      const text = transcript(answer);
      if (name !== "xmode") expect(text, code).not.toMatch(/^\w*Error\b/m);
      parts.push(`>>> ${code}\n${normal(text, own)}`);
    }
    for (const code of wrongUses(magic, own)) {
      const answer = await run(code);
      const { status, ename, traceback } = answer.reply.content;
      expect(status, code).toBe("error");
      if (!ownErrors.test(code)) {
        expect(ename, code).toBe("UsageError");
        expect(plain(traceback), code).toMatch(/^UsageError: [^\n]+$/);
      }
      parts.push(`>>> ${code}\n${normal(transcript(answer), own)}`);
    }
    const file = join(texts, `${name}.txt`);
    await expect(`${parts.map((part) => part.trimEnd()).join("\n\n")}\n`).toMatchFileSnapshot(file);
  });
});

test("HTML in strings, expressions and functors is text everywhere", async () => {
  const evil = '<img src=x onerror="alert(1)">';
  await run(`${setUp[1]}\nconst evil = ${JSON.stringify(evil)};`);
  for (const code of [
    `%%kernel shown\n// ${evil}\ntemplate <typename T> T shown(T x) { return x; }`,
    "%source shown",
    "shown?",
    "shown??",
    "%%source\nshown(x);",
    "%whos",
    "evil?",
    `%bench "${evil.replaceAll('"', "'")}".length ; 1`,
    "%timings",
    "%cache",
    `%help nothing${"<img"}`,
  ]) {
    const { published } = await run(code);
    for (const { content } of published) {
      const data = (content.data ?? {}) as Record<string, unknown>;
      expect(String(data["text/html"] ?? ""), code).not.toMatch(/<img src=x/);
    }
  }
});
