// Times the forms of a kernel on one workspace, in turns, so that other load on the machine affects all of them alike.
import type { LoadedKernel } from "../launch/loaded-kernel.js";
import type { Workspace } from "./workspace.js";

const [leastRounds, mostRounds] = [9, 101];
const enoughMs = 300;

/** The microseconds of each kernel for the workspace's run, turn by turn. */
export function measure(workspace: Workspace, kernels: readonly LoadedKernel[]): number[][] {
  const times = kernels.map((): number[] => []);
  // The first launch of a kernel loads code and touches memory.
  for (const kernel of kernels) once(workspace, kernel);
  const began = performance.now();
  for (let round = 0; round < mostRounds; round++) {
    if (round >= leastRounds && performance.now() - began > enoughMs) break;
    kernels.forEach((kernel, i) => {
      times[i]?.push(once(workspace, kernel));
    });
  }
  return times;
}

/** Launches a kernel once; returns the microseconds that the device took. */
export function once(workspace: Workspace, kernel: LoadedKernel): number {
  const { device, elements } = workspace.run;
  workspace.write(kernel.block);
  workspace.cool();
  const before = device.mark();
  kernel.code.launch(kernel.block, kernel.over(elements));
  const after = device.mark();
  const us = after.since(before) * 1e3;
  before.release();
  after.release();
  return us;
}
