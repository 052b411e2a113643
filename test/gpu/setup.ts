import * as jl from "../../dist/runtime/index.js";

/** Refuses to begin where there is no GPU. */
export function setup(): void {
  jl.zeros([1], { device: "cuda" }).dispose();
}
