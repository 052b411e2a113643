// The only user of resvg: SVG to PNG, with bundled fonts, because without a font it silently drops all text.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const fontNames = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"];

/** The PNG of an SVG document, drawn at twice its size for dense screens. */
export function svgToPng(svg: string): Uint8Array {
  const { Resvg } = require("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const fontFiles = fontNames.map((name) => require.resolve(`dejavu-fonts-ttf/ttf/${name}`));
  const image = new Resvg(svg, {
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: "DejaVu Sans" },
    fitTo: { mode: "zoom", value: 2 },
  });
  return image.render().asPng();
}
