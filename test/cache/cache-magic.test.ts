// %cache in two real kernels that share a cache folder: each shows its own work and the other's.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KernelClient } from "../../dist/kernel/cli/client.js";
import { ofType, result, startChecked } from "../support/kernel.js";
import { privateCache } from "../support/private-cache.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-cache-magic-"));
const env = { JITLAB_CACHE_DIR: privateCache(folder), JITLAB_DEVICE: "cpu" };
const setUp = 'import * as jl from "jitlab";\nconst x = jl.arange(1, 9).to("float32");';
let first: KernelClient;
let second: KernelClient;

beforeAll(async () => {
  first = (await startChecked({ env })).client;
  second = (await startChecked({ env })).client;
}, 60_000);
afterAll(async () => {
  await Promise.all([first, second].map((client) => client.shutdown()));
  rmSync(folder, { recursive: true, force: true });
});

async function ran(client: KernelClient, code: string): Promise<void> {
  expect((await client.execute(code)).reply.content).toMatchObject({ status: "ok" });
}

async function pidOf(client: KernelClient): Promise<string> {
  return result(await client.execute("process.pid")) ?? "";
}

async function shown(client: KernelClient, magic: string): Promise<{ text: string; html: string }> {
  const answer = await client.execute(magic);
  expect(answer.reply.content.status).toBe("ok");
  const data = ofType(answer, "display_data")[0]?.content.data as Record<string, string>;
  return { text: data["text/plain"] ?? "", html: data["text/html"] ?? "" };
}

/** The row of a kernel, by column. */
function rowOf(text: string, kernel: string): Record<string, string> {
  const lines = text.split("\n");
  const [heads = "", row = ""] = [/^kernel +dtypes/, new RegExp(`^${kernel} `)].map((start) =>
    lines.find((line) => start.test(line)),
  );
  const names = heads.split(/ {2,}/);
  const cells = row.split(/ {2,}/);
  return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]));
}

describe("%cache in two notebooks", () => {
  test("the first compiled, and its line says why", async () => {
    await ran(first, `${setUp}\nx.exp().lgamma();`);
    const { text } = await shown(first, "%cache");
    expect(rowOf(text, "exp")).toMatchObject({
      dtypes: "float32",
      layout: "contiguous",
      from: "compiled",
      "compiled by": "this process",
      when: "just now",
      "hits here": "0",
      elsewhere: "0",
    });
    expect(text).toMatch(/^hit rate of this process +–$/m);
    expect(text).toContain("Why was this compiled? lgamma float32: no kernel of it was stored.");
  });

  test("the second has it from disk, and names the first as its compiler", async () => {
    await ran(second, `${setUp}\nx.exp();\nx.exp();`);
    const pid = await pidOf(first);
    const { text, html } = await shown(second, "%cache");
    const row = rowOf(text, "exp");
    expect(row).toMatchObject({ from: "fetched here", "hits here": "1", elsewhere: "0" });
    expect(row["compiled by"]).toMatch(new RegExp(`^\\S+, process ${pid}$`));
    expect(html).toContain(`process ${pid}<`);
    expect(rowOf(text, "lgamma")).toMatchObject({ from: "–", "hits here": "0" });
    expect(text).toMatch(/^fetched from disk +\d+ kernels?, saving [\d.]+ m?s$/m);
    expect(text).toMatch(/^hit rate of this process +100 %/m);
    expect(text).not.toContain("Why was this compiled?");
  });

  test("the first sees the fetch as one elsewhere, once the second has written it", async () => {
    const { text } = await shown(first, "%cache");
    expect(rowOf(text, "exp")).toMatchObject({ "hits here": "0", elsewhere: "1" });
  });

  test("a miss names what differs from the nearest kernel", async () => {
    await ran(second, 'x.to("float64").exp();');
    const { text } = await shown(second, "%cache");
    expect(text).toMatch(
      /^Why was this compiled\? exp float64: the nearest stored kernel has other dtypes \(float32 there, float64 here\)\.$/m,
    );
    const cell = await shown(second, "%%cache\nx.exp();\nx.to('float16').exp();");
    expect(cell.text).toMatch(/^exp +float32 +contiguous +memory /m);
    expect(cell.text).toMatch(/^exp float16: the nearest stored kernel has other dtypes /m);
  });
});
