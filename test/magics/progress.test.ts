// Progress of long work: nothing for short work, one display that changes for long work, and its end.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MagicContext } from "../../dist/magics/child/context.js";
import { Progress } from "../../dist/magics/child/progress.js";
import { FakeHost, fakeLibrary } from "../support/magic-host.js";

let host: FakeHost;
let progress: Progress;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  host = new FakeHost();
  progress = new Progress(new MagicContext(host, fakeLibrary() as any));
});
afterEach(() => {
  vi.useRealTimers();
});

test("short work shows none", () => {
  progress.step(1, 2, "add float32");
  vi.advanceTimersByTime(1000);
  progress.step(2, 2, "mul float32");
  progress.end();
  expect(host.shown).toEqual([]);
});

test("long work changes one display, not too often, and ends with what was done", () => {
  vi.advanceTimersByTime(1600);
  progress.step(1, 4, "a<b> float32");
  vi.advanceTimersByTime(100);
  progress.step(2, 4, "mul float32");
  vi.advanceTimersByTime(300);
  progress.step(3, 4, "exp float32");
  progress.step(4, 4, "sin float32");
  vi.advanceTimersByTime(1000);
  progress.end();
  const shown = host.shown as any[];
  expect(shown.map(({ data }) => data["text/plain"])).toEqual([
    "1 of 4 a<b> float32",
    "3 of 4 exp float32",
    "4 of 4 in 3 s",
  ]);
  expect(shown.map(({ named }) => named.update)).toEqual([false, true, true]);
  expect(new Set(shown.map(({ named }) => named.id)).size).toBe(1);
  expect(shown[0].data["text/html"]).toContain("a&lt;b&gt;");
  expect(shown[1].data["text/html"]).toContain("background-color");
  expect(shown[2].data["text/html"]).not.toContain("background-color");
  expect(host.errors).toBe("");
});

test("work that fails ends with the steps that were done", () => {
  vi.advanceTimersByTime(1600);
  progress.step(1, 4, "add float32");
  progress.end();
  expect((host.shown.at(-1) as any).data["text/plain"]).toBe("1 of 4 in 1.6 s");
});

test("a front end that draws widgets gets a bar, of which one line remains", () => {
  host.bars = [];
  vi.advanceTimersByTime(1600);
  progress.step(1, 3, "add float32");
  vi.advanceTimersByTime(400);
  progress.step(2, 3, "mul float32");
  progress.end();
  expect(host.bars).toEqual(["1: 1 of 3 add float32", "2: 2 of 3 mul float32", "closed"]);
  const view = "application/vnd.jupyter.widget-view+json";
  const shown = host.shown as any[];
  expect(shown.map(({ data, named }) => [view in data, data["text/plain"], named.update])).toEqual([
    [true, "1 of 3 add float32", false],
    [false, "2 of 3 in 2 s", true],
  ]);
});
