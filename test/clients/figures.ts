// What a figure looks like in a page, and whether every output of a notebook shows something.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";

/** How the figures of a page are shown, and which outputs show nothing at all. */
export interface Shown {
  /** Plots that Plotly has drawn. */
  readonly plots: number;
  /** Pictures of figures that are loaded and visible. */
  readonly pictures: number;
  /** Outputs without a height, by their text. */
  readonly empty: readonly string[];
}

/** Looks at the outputs of a page. */
export async function shownIn(outputs: Locator): Promise<Shown> {
  const found = await outputs.evaluateAll((elements) => {
    const visible = (element: any) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 100 && height > 50;
    };
    return elements.map((element: any) => {
      const plots = [...element.querySelectorAll(".js-plotly-plot")].filter((plot: any) => {
        const svg = plot.querySelector("svg.main-svg");
        return svg !== null && visible(svg) && plot.querySelectorAll("path, text").length > 10;
      });
      const pictures = [...element.querySelectorAll("img[src^='data:image/png']")].filter(
        (image: any) => visible(image) && image.complete && image.naturalWidth > 0,
      );
      const { height } = element.getBoundingClientRect();
      return {
        plots: plots.length,
        pictures: pictures.length,
        height,
        text: element.textContent.slice(0, 80),
      };
    });
  });
  const sum = (of: "plots" | "pictures") => found.reduce((all, one) => all + one[of], 0);
  const empty = found.filter(({ height }) => height < 5).map(({ text }) => text);
  return { plots: sum("plots"), pictures: sum("pictures"), empty };
}

/** How many figures a notebook holds. */
export function figuresIn(path: string): number {
  const { cells } = JSON.parse(readFileSync(path, "utf8"));
  const outputs = cells.flatMap((cell: any) => cell.outputs ?? []);
  return outputs.filter((output: any) => "application/vnd.plotly.v1+json" in (output.data ?? {})).length;
}

/** How many images a notebook holds that are no figures. */
export function imagesIn(path: string): number {
  const { cells } = JSON.parse(readFileSync(path, "utf8"));
  const outputs = cells.flatMap((cell: any) => cell.outputs ?? []);
  return outputs.filter(
    ({ data = {} }: any) => "image/png" in data && !("application/vnd.plotly.v1+json" in data),
  ).length;
}

/** How often a notebook's file holds the Plotly library. */
export function librariesIn(path: string): number {
  return readFileSync(path, "utf8").split('data-jitlab=\\"plotly\\"').length - 1;
}

/** The colours of a plot's texts and of the page's text. */
export async function textColours(page: Page): Promise<{ plot: string; page: string }> {
  return page
    .locator(".js-plotly-plot .gtitle, .js-plotly-plot .legendtext")
    .first()
    .evaluate((text: any) => {
      const colour = (element: any, name: string) => (globalThis as any).getComputedStyle(element)[name];
      return {
        plot: colour(text, "fill"),
        page: colour(text.closest(".js-plotly-plot").parentElement, "color"),
      };
    });
}
