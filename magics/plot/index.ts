// `import { line, image } from "jitlab/plot"`: pictures of tensors and arrays.
export type { Colormap } from "../render/colormap.js";
export {
  type BarOptions,
  bars,
  type ChartOptions,
  type Curves,
  histogram,
  type LineOptions,
  line,
  type ScaleOptions,
  type ScatterOptions,
  scatter,
} from "./charts.js";
export type { Matrix, Numbers } from "./data.js";
export { type GridOptions, grid } from "./grid.js";
export { type HeatmapOptions, heatmap } from "./heatmap.js";
export {
  type AnimationOptions,
  animate,
  type ImageData,
  type ImageOptions,
  image,
  type Picture,
} from "./image.js";
export type { Plot } from "./plot.js";
export { type PlotlySpecification, plot } from "./specification.js";
