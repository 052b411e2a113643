import type { TunedForm } from "../../dist/runtime/index.js";

export const callsBefore: number;
export function choose(call: () => unknown, mostChanged: number): TunedForm[];
