// Loops on a GPU: a CUDA graph with a WHILE node, whose body's last kernel says whether it runs again. The driver has them since CUDA 12.4.

import type { ComposedWork, Device } from "../device.js";
import { ffi } from "../ffi.js";
import { check, type Driver, type Out } from "./driver.js";
import { capture, instantiated } from "./graph.js";

/** The first CUDA version with conditional nodes in its driver. */
export const leastForLoops = 12040;

// cuda.h
const CU_GRAPH_COND_ASSIGN_DEFAULT = 1;
const CU_GRAPH_NODE_TYPE_CONDITIONAL = 13;
const CU_GRAPH_COND_TYPE_WHILE = 1;
// CUgraphNodeParams with its CUDA_CONDITIONAL_NODE_PARAMS.
const parameterBytes = 256;
const at = { type: 0, handle: 16, condition: 24, size: 28, bodies: 32, context: 40 } as const;

const symbol = "jitlab_loop_end";
// The driver resolves the function when it loads the text. The body has run once more; it goes on while a byte is not 0 and the limit
// behind the counter is not reached.
const text = `.version 8.3
.target sm_75
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry ${symbol}(.param .u64 handle, .param .u64 goes_on, .param .u64 counter) {
.reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .b16 %h; .reg .pred %p, %q;
ld.param.u64 %rd1, [handle]; ld.param.u64 %rd2, [goes_on]; ld.param.u64 %rd3, [counter];
cvta.to.global.u64 %rd2, %rd2; cvta.to.global.u64 %rd3, %rd3;
ld.global.u8 %h, [%rd2]; setp.ne.u16 %p, %h, 0;
ld.global.u32 %r1, [%rd3]; add.u32 %r1, %r1, 1; st.global.u32 [%rd3], %r1;
ld.global.u32 %r2, [%rd3+4]; setp.lt.and.u32 %q, %r1, %r2, %p; selp.b32 %r3, 1, 0, %q;
{ .param .b64 a; .param .b32 b; st.param.b64 [a], %rd1; st.param.b32 [b], %r3;
call.uni cudaGraphSetConditional, (a, b); }
ret; }
`;

/** Queues the last kernel of a loop's body, with the addresses of the byte, and of the counter and its limit. */
export type LoopEnd = (handle: bigint, goesOn: number, counter: number) => void;

/** The kernel, loaded once on a device. */
export function loopEndOn(device: Device): LoopEnd {
  const code = device.load(new TextEncoder().encode(`${text}\0`), symbol);
  const block = device.createBlock(24);
  const one = { grid: [1, 1, 1], block: [1, 1, 1], sharedBytes: 0 } as const;
  return (handle, goesOn, counter) => {
    block.i64.set([handle, BigInt(goesOn), BigInt(counter)]);
    code.launch(block, one);
  };
}

/** The launches of `body(handle)(stream)` on that stream, again and again, as a graph that is launched on `target`. */
export function captureLoop(
  cuda: Driver,
  context: number,
  target: number,
  body: (handle: bigint) => (stream: number) => void,
): ComposedWork {
  const [graph, node]: [Out, Out] = [[0], [0]];
  const handle: [bigint | number] = [0];
  check("cuGraphCreate", cuda.cuGraphCreate(graph, 0));
  try {
    check(
      "cuGraphConditionalHandleCreate",
      cuda.cuGraphConditionalHandleCreate(handle, graph[0], context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT),
    );
    const parameters = new Uint8Array(parameterBytes);
    const words = new DataView(parameters.buffer);
    words.setUint32(at.type, CU_GRAPH_NODE_TYPE_CONDITIONAL, true);
    words.setBigUint64(at.handle, BigInt(handle[0]), true);
    words.setUint32(at.condition, CU_GRAPH_COND_TYPE_WHILE, true);
    words.setUint32(at.size, 1, true);
    words.setBigUint64(at.context, BigInt(context), true);
    check("cuGraphAddNode", cuda.cuGraphAddNode(node, graph[0], 0, 0, 0, parameters));
    const inner = Number(ffi().decode(words.getBigUint64(at.bodies, true), "uint64_t"));
    capture(cuda, [0], body(BigInt(handle[0])), (stream, mode) =>
      check("cuStreamBeginCaptureToGraph", cuda.cuStreamBeginCaptureToGraph(stream, inner, 0, 0, 0, mode)),
    );
    return instantiated(cuda, target, graph[0]);
  } finally {
    check("cuGraphDestroy", cuda.cuGraphDestroy(graph[0]));
  }
}
