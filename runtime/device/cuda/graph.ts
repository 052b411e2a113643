// CUDA graphs: launches captured from a separate stream, which nothing waits for, and replayed on the default stream.
import type { ComposedWork } from "../device.js";
import { check, type Driver, type Out } from "./driver.js";

// cuda.h
const CU_STREAM_NON_BLOCKING = 1;
const CU_STREAM_CAPTURE_MODE_RELAXED = 2;

/** The launches of `queue(stream)` on that stream, as a graph that is launched on `target`. */
export function captureGraph(cuda: Driver, target: number, queue: (stream: number) => void): ComposedWork {
  const graph: Out = [0];
  try {
    capture(cuda, graph, queue, (stream, mode) =>
      check("cuStreamBeginCapture", cuda.cuStreamBeginCapture(stream, mode)),
    );
    return instantiated(cuda, target, graph[0]);
  } finally {
    if (graph[0] !== 0) check("cuGraphDestroy", cuda.cuGraphDestroy(graph[0]));
  }
}

/** Gives launches to a stream of their own, whose capture `begin` has begun; sets the graph. */
export function capture(
  cuda: Driver,
  graph: Out,
  queue: (stream: number) => void,
  begin: (stream: number, mode: number) => void,
): void {
  const stream: Out = [0];
  check("cuStreamCreate", cuda.cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
  try {
    begin(stream[0], CU_STREAM_CAPTURE_MODE_RELAXED);
    try {
      queue(stream[0]);
    } finally {
      check("cuStreamEndCapture", cuda.cuStreamEndCapture(stream[0], graph));
    }
  } finally {
    check("cuStreamDestroy", cuda.cuStreamDestroy(stream[0]));
  }
}

/** A graph that is launched on `target`. */
export function instantiated(cuda: Driver, target: number, graph: number): ComposedWork {
  const executable: Out = [0];
  check("cuGraphInstantiate", cuda.cuGraphInstantiate(executable, graph, 0));
  return {
    launch: () => check("cuGraphLaunch", cuda.cuGraphLaunch(executable[0], target)),
    release: () => check("cuGraphExecDestroy", cuda.cuGraphExecDestroy(executable[0])),
  };
}
