// Which figure of a session brings the plotting library into the notebook.
import { expect, test } from "vitest";
import { MagicContext } from "../../dist/magics/child/context.js";
import { config } from "../../dist/magics/child/settings.js";
import { withoutPlotly } from "../../dist/magics/render/bundle.js";
import type { Figure } from "../../dist/magics/render/figure.js";
import { FakeHost, fakeLibrary } from "../support/magic-host.js";

const figure: Figure = {
  title: "f",
  rows: ["a"],
  panels: [
    {
      kind: "spans",
      title: "",
      x: { label: "", scale: "linear", unit: "time" },
      series: [{ name: "s", color: "#888888", spans: [{ row: 0, from: 0, to: 1 }] }],
    },
  ],
};

test("the first figure does, and again whenever its cell runs again: the library is in the notebook once", () => {
  const host = new FakeHost();
  const context = new MagicContext(host, fakeLibrary() as any);
  config(context, "plots", "html");
  const brings = (cellName: string, run: string): boolean => {
    Object.assign(host, { cellName, run });
    context.figure(figure);
    const html = (host.shown.at(-1) as any).data["text/html"] as string;
    return withoutPlotly(html) !== html;
  };
  expect(brings("first", "run 1")).toBe(true);
  expect(brings("first", "run 1")).toBe(false);
  expect(brings("second", "run 2")).toBe(false);
  expect(brings("first", "run 3")).toBe(true);
  expect(brings("first", "run 3")).toBe(false);
  expect(brings("second", "run 4")).toBe(false);
  expect(brings("first", "run 5")).toBe(true);
});

test("with the plots setting mime none does, and png leaves the picture and the text", () => {
  const host = new FakeHost();
  const context = new MagicContext(host, fakeLibrary() as any);
  const shown = (mode: "mime" | "png") => {
    config(context, "plots", mode);
    context.figure(figure);
    return (host.shown.at(-1) as any).data;
  };
  const { "text/html": html, ...others } = shown("mime");
  expect(withoutPlotly(html)).toBe(html);
  expect(Object.keys(others)).toEqual(["application/vnd.plotly.v1+json", "image/png", "text/plain"]);
  expect(Object.keys(shown("png"))).toEqual(["image/png", "text/plain"]);
});
