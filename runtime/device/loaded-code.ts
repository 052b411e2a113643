// Code that is loaded on a device, and what a launch of it takes.

/** The argument bytes of a launch: written by dispatch, read by the loaded code. */
export interface ArgumentBlock {
  /** Address of the first byte, for the device's launcher. */
  readonly address: number;
  readonly bytes: Uint8Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i64: BigInt64Array;
  /** Frees the block after the last launch that reads it. */
  release(): void;
}

/** The division of one launch among threads. */
export interface LaunchConfig {
  /** Blocks along each dimension of the grid. A device without a grid runs the range from 0 to x. */
  readonly grid: readonly [x: number, y: number, z: number];
  /** Threads along each dimension of a block. A device without a grid cuts its range at multiples of x. */
  readonly block: readonly [x: number, y: number, z: number];
  /** Bytes of shared memory per block, beyond the declared ones. */
  readonly sharedBytes: number;
  /** True if all blocks run at the same time, so that they may wait for each other. */
  readonly cooperative?: boolean;
}

/** The launch limits of a loaded kernel on its device. */
export interface LaunchLimits {
  /** The maximum threads per block, limited by registers and the kernel's launch bounds. */
  readonly threads: number;
  /** The maximum shared memory per block, beyond the declared one. */
  readonly sharedBytes: number;
  /** How many blocks run at the same time on the whole device; 0 without cooperative launches. */
  blocksTogether(threads: number, sharedBytes: number): number;
}

/** The blocks of a launch. */
export interface BlockConfig {
  readonly threads: number;
  readonly sharedBytes: number;
}

/** Code loaded on a device, and its kernel. */
export interface LoadedCode {
  /** True if it queues work on several devices, so that no composed work of one holds it. */
  readonly spansDevices?: boolean;
  /** Runs the kernel with the arguments in `block`; returns when queued (cuda) or done (cpu, wasm). */
  launch(block: ArgumentBlock, config: LaunchConfig): void;
  /** Its launch limits, on devices with a grid. */
  limits?(): LaunchLimits;
  /** Writes a variable of the code by its name and returns its size in bytes; writes nothing if the size differs. */
  writeVariable?(name: string, bytes: Uint8Array): number | undefined;
  /** Frees the loaded code after its last launch. */
  unload(): void;
}
