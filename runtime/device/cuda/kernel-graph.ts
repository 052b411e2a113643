// Graphs of kernels one after the other, whose arguments can be changed: one node a launch, described by a
// CUDA_KERNEL_NODE_PARAMS.
import { argumentBlock } from "../argument-blocks.js";
import type { ArgumentBlock } from "../device.js";
import type { KeptLaunch, LaunchGraph, Queueable } from "../repeated-launches.js";
import { check, type Driver, type Out } from "./driver.js";

/** The arguments of a launch, and the list for `extra` that says where they are. */
export interface CudaBlock extends ArgumentBlock {
  /** Address of the list. */
  readonly extra: number;
}

/** A kernel that is loaded. */
export interface CudaKernel extends Queueable {
  /** Its CUfunction. */
  readonly fn: number;
}

// cuda.h: words of 8 bytes in CUDA_KERNEL_NODE_PARAMS, and a word of 4 bytes. Behind it lies the node before.
const [functionAt, extraAt, nodeParameterWords] = [0, 6, 9];
const shapeAt = 2;

let described: ArgumentBlock | undefined;

/**
 * A graph of launches for a stream; the memory of their arguments is read when a launch is added or updated. `select` makes the
 * device's context current.
 */
export function kernelGraph(
  select: () => Driver,
  stream: number,
  launches: readonly KeptLaunch<CudaKernel>[],
): LaunchGraph {
  const cuda = select();
  const [graph, executable, node]: [Out, Out, Out] = [[0], [0], [0]];
  check("cuGraphCreate", cuda.cuGraphCreate(graph, 0));
  const nodes: number[] = [];
  try {
    for (const launch of launches) {
      const { address, i64 } = parametersOf(launch);
      i64[nodeParameterWords] = BigInt(node[0]);
      const before = nodes.length > 0 ? address + 8 * nodeParameterWords : 0;
      const added = cuda.cuGraphAddKernelNode(node, graph[0], before, before === 0 ? 0 : 1, address);
      check("cuGraphAddKernelNode", added);
      nodes.push(node[0]);
    }
    check("cuGraphInstantiate", cuda.cuGraphInstantiate(executable, graph[0], 0));
  } catch (error) {
    cuda.cuGraphDestroy(graph[0]);
    throw error;
  }
  return {
    update(at) {
      const { address } = parametersOf(launches[at] as KeptLaunch<CudaKernel>);
      const updated = select().cuGraphExecKernelNodeSetParams(executable[0], nodes[at] as number, address);
      if (updated !== 0) check("cuGraphExecKernelNodeSetParams", updated);
    },
    launch() {
      const launched = select().cuGraphLaunch(executable[0], stream);
      if (launched !== 0) check("cuGraphLaunch", launched);
    },
    release() {
      // Errors are ignored: the next use of a lost device reports it, and a finalizer has no caller.
      cuda.cuGraphExecDestroy(executable[0]);
      // Nodes are named by those of the graph, so it lives as long.
      cuda.cuGraphDestroy(graph[0]);
    },
  };
}

/** Describes a launch in memory that the next one reuses: the driver copies the description. */
function parametersOf({ kernel, args, config }: KeptLaunch<CudaKernel>): ArgumentBlock {
  described ??= argumentBlock(8 * (nodeParameterWords + 1));
  const { u32, i64 } = described;
  i64[functionAt] = BigInt(kernel.fn);
  u32.set(config.grid, shapeAt);
  u32.set(config.block, shapeAt + 3);
  u32[shapeAt + 6] = config.sharedBytes;
  i64[extraAt] = BigInt((args as CudaBlock).extra);
  return described;
}
