// Runs kernels of a GPU's blocks on the host: the text that a GPU gets, in C++'s words, with threads of the host as a block. So
// kernels with shared memory and barriers are tested where there is no GPU.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import koffi from "koffi";
import type { DType } from "../../runtime/base/dtype.js";
import type { Walk } from "../../runtime/codegen/walk-kernel.js";
import type { Dialect } from "../../runtime/device/dialect.js";
import { compiler } from "./functor-harness.js";
import { keptFile } from "./kept-file.js";

const { renderWalk, walkArguments } = (await import(
  "../../dist/runtime/codegen/walk-kernel.js"
)) as typeof import("../../runtime/codegen/walk-kernel.js");
const { cppDialect, cudaDialect } = (await import(
  "../../dist/runtime/device/dialect.js"
)) as typeof import("../../runtime/device/dialect.js");

const words = `
#define __global__
#define __shared__ static
#define __launch_bounds__(...)
#define memcpy __builtin_memcpy
#define __grid_constant__
struct Index { int x; };
extern thread_local Index threadIdx, blockIdx;
extern "C" void __syncthreads();
extern "C" void __syncwarp();
extern "C" long long warp_get(long long value, int lane);
extern "C" unsigned warp_ballot(long long value, int equal);
inline int atomicAdd(int* at, int by) { return __sync_fetch_and_add(at, by); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline unsigned __match_any_sync(unsigned, unsigned x) { return warp_ballot(x, 1); }
inline unsigned __ballot_sync(unsigned, int x) { return warp_ballot(x != 0, 0); }
template <typename V> inline V __shfl_up_sync(unsigned, V x, int by) {
  const int lane = threadIdx.x & 31;
  return V(warp_get(x, lane >= by ? lane - by : lane));
}
inline unsigned __shfl_down_sync(unsigned, unsigned x, int by, int width) {
  const int lane = threadIdx.x & 31;
  return unsigned(warp_get(x, lane % width + by < width ? lane + by : lane));
}
inline unsigned __shfl_sync(unsigned, unsigned x, int from, int width) {
  const int lane = threadIdx.x & 31;
  return unsigned(warp_get(x, lane / width * width + from));
}
`;

const runner = `
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <thread>
#include <vector>
struct Index { int x; };
thread_local Index threadIdx, blockIdx;
static pthread_barrier_t barrier;
extern "C" void __syncthreads() { pthread_barrier_wait(&barrier); }
static pthread_barrier_t warp_barriers[32];
static long long slots[1024];
extern "C" void __syncwarp() { pthread_barrier_wait(warp_barriers + threadIdx.x / 32); }
extern "C" long long warp_get(long long value, int lane) {
  slots[threadIdx.x] = value;
  __syncwarp();
  const long long got = slots[threadIdx.x / 32 * 32 + lane];
  __syncwarp();
  return got;
}
extern "C" unsigned warp_ballot(long long value, int equal) {
  slots[threadIdx.x] = value;
  __syncwarp();
  unsigned mask = 0;
  for (int i = 0; i < 32; ++i) {
    const long long other = slots[threadIdx.x / 32 * 32 + i];
    if (equal ? other == value : other != 0) mask |= 1u << i;
  }
  __syncwarp();
  return mask;
}
extern "C" void enter(const void*);
extern "C" void run_blocks(const void* block, int from, int to, int count) {
  pthread_barrier_init(&barrier, nullptr, count);
  for (auto& each : warp_barriers) pthread_barrier_init(&each, nullptr, 32);
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([=] {
      threadIdx.x = t;
      for (blockIdx.x = from; blockIdx.x < to; ++blockIdx.x) {
        enter(block);
        __syncthreads();
      }
    });
  for (auto& thread : threads) thread.join();
  pthread_barrier_destroy(&barrier);
}
extern "C" void run(const void* block, int blocks, int count) { run_blocks(block, 0, blocks, count); }
// Each of the blocks that run at the same time has a copy of this library, and so shared memory of its own.
extern "C" void run_together(const void* block, int blocks, int count, int together, const char* copies) {
  std::vector<decltype(&run_blocks)> runs;
  for (int c = 0; c < together; ++c) {
    void* copy = dlopen((copies + std::to_string(c) + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    runs.push_back(reinterpret_cast<decltype(&run_blocks)>(dlsym(copy, "run_blocks")));
  }
  for (int from = 0; from < blocks; from += together) {
    std::vector<std::thread> each;
    for (int c = 0; c < together && from + c < blocks; ++c)
      each.emplace_back([=] { runs[c](block, from + c, from + c + 1, count); });
    for (auto& one : each) one.join();
  }
}
`;

/** Memory of an operand, and its stride from one position to the next; a walk over one dimension. */
export interface HostOperand {
  readonly dtype: DType;
  readonly data: ArrayBufferView;
  readonly stride: number;
}

/** A compiled walk of blocks. */
export type HostWalk = (
  operands: readonly HostOperand[],
  numbers: readonly number[],
  positions: number,
) => void;

/** C++ with a GPU's words for threads. */
export const hostGrid: Dialect = {
  ...cppDialect,
  gpu: cudaDialect.gpu,
  named: [...cppDialect.named, ...cudaDialect.named],
};

const flags = "-std=c++17 -O1 -fPIC -ffp-contract=off -fno-strict-aliasing -w -pthread -ldl".split(" ");

/** What the compiler makes of a text, linked with objects. */
function built(extension: string, text: string, own: readonly string[], objects: readonly string[]): string {
  const given = [...flags, ...own, "-x", "c++", "-", "-x", "none", ...objects];
  return keptFile(extension, [text, ...given], (path) => {
    execFileSync(compiler ?? "c++", [...given, "-o", path], { input: text });
  });
}

/**
 * Compiles a kernel in these words; it runs from a block of arguments, with so many blocks and threads of each. So many blocks
 * run `together`, which may wait for each other.
 */
export function hostKernel(
  source: string,
  symbol: string,
  together = 1,
): (args: BigInt64Array, blocks: number, threads: number) => void {
  // Unnamed, so that shared memory of one kernel is not that of another one.
  const given = source.includes("struct Table ") ? "Table" : "Arguments";
  const text = `${words}namespace {\n${source}}\nextern "C" void enter(const void* block) { ${symbol}(*static_cast<const ${given}*>(block)); }\n`;
  const path = built(".so", text, ["-shared"], [built(".o", runner, ["-c"], [])]);
  const library = koffi.load(path);
  if (together > 1) {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-grid-"));
    for (let c = 0; c < together; c++) copyFileSync(path, join(folder, `copy${c}.so`));
    const run = library.func("run_together", "void", ["const void*", "int", "int", "int", "str"]);
    return (args, blocks, threads) => {
      run(args, blocks, threads, together, join(folder, "copy"));
      // The loader knows the copies by their names from now on.
      rmSync(folder, { recursive: true, force: true });
    };
  }
  return library.func("void run(const void* block, int blocks, int threads)");
}

/** Compiles a walk of blocks for operands of some dtypes. */
export function hostWalk(walk: Walk, dtypes: readonly DType[]): HostWalk {
  const operands = walk.operands.map((name, i) => ({ name, dtype: dtypes[i] as DType }));
  const spec = { walk, operands, rank: 1, steps: [], isNarrow: true, dialect: hostGrid };
  const { source, symbol } = renderWalk(spec);
  const run = hostKernel(source, symbol);
  return (given, numbers, positions) => {
    const block = new BigInt64Array(walkArguments(spec).bytes / 8);
    const fields = [
      // Memory of an array of 64 bytes or fewer has an address only once its buffer was asked for.
      ...given.map(({ data }) => data.buffer && BigInt(koffi.address(data as Uint8Array))),
      ...[...numbers, positions, positions, ...given.map(({ stride }) => stride)].map(BigInt),
    ];
    block.set(fields);
    run(block, positions, walk.threads ?? 256);
  };
}
