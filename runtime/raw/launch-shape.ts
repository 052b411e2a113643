// The launch of a raw kernel: the caller's grid and block, checked against the limits of every GPU and of the kernel.
import { isOptions } from "../base/arguments.js";
import { didYouMean, isArray, JitlabError, show } from "../base/errors.js";
import type { LaunchConfig, LaunchLimits } from "../device/loaded-code.js";

/** One extent, or up to three of them: x, y, z. */
export type RawExtent = number | readonly [x: number, y?: number, z?: number];

/** A launch: a grid of blocks, or one thread per element. */
export type RawLaunch =
  | {
      readonly grid: RawExtent;
      readonly block: RawExtent;
      /** Bytes of shared memory per block, beyond the declared ones. */
      readonly shared?: number;
      /** True: all blocks run at the same time, so that they may wait for each other. */
      readonly cooperative?: boolean;
    }
  | { readonly elements: number; readonly block?: number; readonly shared?: number };

type Triple = readonly [number, number, number];

// Limits of every GPU.
const mostBlocks: Triple = [2 ** 31 - 1, 65535, 65535];
const mostThreads: Triple = [1024, 1024, 64];
const mostThreadsOfBlock = 1024;
const usualBlock = 256;

const names: readonly string[] = ["grid", "block", "shared", "cooperative", "elements"];

/** The requested launch; undefined for zero elements. Throws `bad-launch`. */
export function launchOf(kernel: string, given: unknown): LaunchConfig | undefined {
  if (!isOptions(given)) {
    throw badLaunch(
      `${kernel}: the launch is ${show(given)}.`,
      `Pass a grid or a number of elements: ${kernel}({ grid: 4, block: 256 }, ...) or ${kernel}({ elements: n }, ...).`,
    );
  }
  for (const key of Object.keys(given)) {
    if (names.includes(key)) continue;
    throw badLaunch(
      `${kernel}: a launch has no ${JSON.stringify(key)}.`,
      `${didYouMean(key, names)} It takes ${names.join(", ")}.`.trim(),
    );
  }
  const {
    grid,
    block,
    elements,
    shared = 0,
    cooperative = false,
  } = given as Partial<Record<string, unknown>>;
  if (!Number.isSafeInteger(shared) || (shared as number) < 0) {
    throw badLaunch(`${kernel}: shared is ${show(shared)}.`, "It is a number of bytes.");
  }
  if (typeof cooperative !== "boolean") {
    throw badLaunch(`${kernel}: cooperative is ${show(cooperative)}.`, "It is true or false.");
  }
  const rest = { sharedBytes: shared as number, ...(cooperative && { cooperative }) };
  if (elements === undefined) {
    const threads = extentsOf(kernel, "block", block, mostThreads);
    checkBlock(kernel, threads, mostThreadsOfBlock);
    return { grid: extentsOf(kernel, "grid", grid, mostBlocks), block: threads, ...rest };
  }
  if (grid !== undefined) {
    throw badLaunch(`${kernel}: the launch has both grid and elements.`, "Pass one of them.");
  }
  if (!Number.isSafeInteger(elements) || (elements as number) < 0) {
    throw badLaunch(`${kernel}: elements is ${show(elements)}.`, "It is the number of threads that work.");
  }
  if (elements === 0) return undefined;
  const [threads] = extentsOf(kernel, "block", block ?? usualBlock, mostThreads);
  const blocks = Math.ceil((elements as number) / threads);
  return { grid: extentsOf(kernel, "grid", blocks, mostBlocks), block: [threads, 1, 1], ...rest };
}

/** Rejects a launch beyond the limits of the kernel and its device. */
export function checkLimits(
  kernel: string,
  config: LaunchConfig,
  limits: LaunchLimits,
  device: string,
): void {
  const { grid, block, sharedBytes, cooperative } = config;
  checkBlock(kernel, block, limits.threads);
  if (sharedBytes > limits.sharedBytes) {
    throw badLaunch(
      `${kernel}: ${sharedBytes} bytes of shared memory are requested, but a block on ${device} has ${limits.sharedBytes} beyond the declared ones.`,
      "Use smaller tiles.",
    );
  }
  if (!cooperative) return;
  const most = limits.blocksTogether(block[0] * block[1] * block[2], sharedBytes);
  const blocks = grid[0] * grid[1] * grid[2];
  if (blocks > most) {
    throw badLaunch(
      `${kernel}: ${blocks} blocks must run at the same time, but ${device} runs at most ${most}.`,
      "Launch fewer blocks, and let each thread take several elements.",
    );
  }
}

function checkBlock(kernel: string, [x, y, z]: Triple, most: number): void {
  if (x * y * z <= most) return;
  throw badLaunch(
    `${kernel}: a block of ${x} x ${y} x ${z} has ${x * y * z} threads, but the kernel takes ${most}.`,
    "Use smaller blocks and more of them.",
  );
}

function extentsOf(kernel: string, what: "grid" | "block", given: unknown, most: Triple): Triple {
  const list: readonly unknown[] = isArray(given) ? given : [given];
  const [x = 1, y = 1, z = 1] = list;
  const extents = [x, y, z] as Triple;
  if (given === undefined || list.length === 0 || list.length > 3 || !extents.every(Number.isSafeInteger)) {
    throw badLaunch(
      `${kernel}: ${what} is ${show(given)}.`,
      `It is a number or up to three, such as { grid: [8, 8], block: [16, 16] }.`,
    );
  }
  const wrong = extents.findIndex((extent, i) => extent < 1 || extent > (most[i] as number));
  if (wrong < 0) return extents;
  throw badLaunch(
    `${kernel}: ${what}.${"xyz"[wrong]} is ${extents[wrong]}.`,
    `It is at least 1 and at most ${most[wrong]}.`,
  );
}

function badLaunch(what: string, help: string): JitlabError {
  return new JitlabError("bad-launch", what, help);
}
