// The history of cells, within a session and across kernels.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { History } from "../../dist/kernel/server/history.js";
import { startChecked } from "../support/kernel.js";
import { privateCache } from "../support/private-cache.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-history-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a history", () => {
  const path = join(folder, "unit");
  const first = new History(path);
  for (const [i, code] of ["const a = 1", "sin(a)", "sin(a)"].entries()) first.add(i + 1, code);
  const second = new History(path);
  for (const [i, code] of ["cos(a)\nsin(a)", "tail?"].entries()) second.add(i + 1, code);

  it.each([
    [
      "the last cells",
      { hist_access_type: "tail", n: 2 },
      [
        [2, 1, "cos(a)\nsin(a)"],
        [2, 2, "tail?"],
      ],
    ],
    ["this session's cells", { hist_access_type: "range", session: 0, start: 2, stop: 3 }, [[2, 2, "tail?"]]],
    [
      "the session before",
      { hist_access_type: "range", session: -1, start: 1, stop: 3 },
      [
        [1, 1, "const a = 1"],
        [1, 2, "sin(a)"],
      ],
    ],
    ["a session by number", { hist_access_type: "range", session: 1, start: 3 }, [[1, 3, "sin(a)"]]],
    [
      "cells that contain a text",
      { hist_access_type: "search", pattern: "*sin*", n: 2 },
      [
        [1, 3, "sin(a)"],
        [2, 1, "cos(a)\nsin(a)"],
      ],
    ],
    [
      "cells that begin with it",
      { hist_access_type: "search", pattern: "sin*" },
      [
        [1, 2, "sin(a)"],
        [1, 3, "sin(a)"],
      ],
    ],
    [
      "each text once, the latest",
      { hist_access_type: "search", pattern: "sin*", unique: true },
      [[1, 3, "sin(a)"]],
    ],
    [
      "cells by a pattern with one character",
      { hist_access_type: "search", pattern: "tail?" },
      [[2, 2, "tail?"]],
    ],
    ["nothing for an unknown kind", { hist_access_type: "constructor" }, []],
  ])("finds %s", (_what, query, rows) => {
    expect(second.query(query)).toEqual(rows);
  });

  it("gives ten cells where a request for the tail does not say how many", () => {
    const many = new History(join(folder, "many"));
    for (let line = 1; line <= 12; line++) many.add(line, `cell ${line}`);
    const lines = many.query({ hist_access_type: "tail" }).map(([, line]) => line);
    expect(lines).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it("keeps an enormous cell in memory only", () => {
    const enormous = "x".repeat(100_001);
    const session = new History(join(folder, "enormous"));
    session.add(1, enormous);
    session.add(2, "y");
    const tail = { hist_access_type: "tail", n: 9 };
    expect(session.query(tail).map(([, , input]) => input)).toEqual([enormous, "y"]);
    expect(new History(join(folder, "enormous")).query(tail).map(([, , input]) => input)).toEqual(["y"]);
  });

  it("works in memory where its folder cannot be made", () => {
    const lost = new History("/dev/null/history");
    lost.add(1, "x");
    expect(lost.query({ hist_access_type: "tail", n: 5 })).toEqual([[1, 1, "x"]]);
  });
});

describe("a kernel", () => {
  it("knows the cells of the kernel before it, but not silent or unstored ones", async () => {
    const env = { JITLAB_CACHE_DIR: privateCache(folder) };
    const before = await startChecked({ env });
    await before.client.execute("'first kernel'");
    await before.client.execute("'silent'", { silent: true });
    await before.client.execute("'unstored'", { storeHistory: false });
    await before.client.shutdown();
    const after = await startChecked({ env });
    await after.client.execute("'second kernel'");
    const { history } = await after.client.history({ hist_access_type: "tail", n: 5 });
    expect(history).toEqual([
      [1, 1, "'first kernel'"],
      [2, 1, "'second kernel'"],
    ]);
    const { history: rows } = await after.client.history({ hist_access_type: "tail", n: 1, output: true });
    expect(rows).toEqual([[2, 1, ["'second kernel'", null]]]);
    await after.client.shutdown();
    expect([...before.broken, ...after.broken]).toEqual([]);
  });
});
