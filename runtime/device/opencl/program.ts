// One kernel of a module of SPIR-V, compiled by the driver, and its launches.
import { argumentBlock } from "../argument-blocks.js";
import type { Launched } from "../launched.js";
import type { ArgumentBlock, LaunchConfig, LoadedCode } from "../loaded-code.js";
import { check, failure, type Out, openCl } from "./library.js";

const CL_PROGRAM_BUILD_LOG = 0x1183;
const CL_KERNEL_EXEC_INFO_SVM_PTRS = 0x11b6;
// So many launches may wait in the queue before the driver is told to begin.
const launchesPerFlush = 16;

/** What the kernels of a device share. */
export interface KernelHost {
  readonly context: number;
  readonly queue: number;
  readonly device: number;
  /** Options for the driver's compiler. */
  readonly options: string;
  /** The memory that kernels may reach through addresses in their arguments; another array after each change. */
  readonly reachable: () => BigUint64Array;
  /** The kernel launched last, for errors that a later call reports. */
  launched: Launched | undefined;
  /** How many launches were queued. */
  launches: number;
  /** True if something was queued since all work was waited for. */
  isBusy: boolean;
  /** True to wait after each launch, so that an error names its kernel. */
  readonly waits: boolean;
  /** Waits for all queued work. */
  readonly synchronize: () => void;
}

/** Loads a kernel; throws DeviceError `code-refused` with the driver's log. */
export function loadKernel(
  host: KernelHost,
  binary: Uint8Array,
  symbol: string,
  userText?: string,
): LoadedCode {
  const cl = openCl();
  const { context, queue } = host;
  const result: Out = [0];
  const program = cl.clCreateProgramWithIL(context, binary, binary.byteLength, result);
  if (result[0] !== 0) throw refusal("clCreateProgramWithIL", result[0], "", symbol, userText);
  const built = cl.clBuildProgram(program, 0, null, host.options, 0, 0);
  const kernel = built === 0 ? cl.clCreateKernel(program, symbol, result) : 0;
  if (built !== 0 || result[0] !== 0) {
    const log = built === 0 ? "" : buildLog(host, program);
    cl.clReleaseProgram(program);
    const [call, code] = built === 0 ? ["clCreateKernel", result[0]] : ["clBuildProgram", built];
    throw refusal(call, code, log, symbol, userText);
  }
  // Six words: the threads along each dimension, and those of a block.
  const range = argumentBlock(48);
  const { i64, address } = range;
  let reached: BigUint64Array | undefined;
  const launched = { symbol, userText };
  return {
    launch: (block: ArgumentBlock, { grid, block: threads }: LaunchConfig) => {
      host.launched = launched;
      host.isBusy = true;
      check("clSetKernelArg", cl.clSetKernelArg(kernel, 0, block.bytes.byteLength, block.address));
      const memory = host.reachable();
      if (memory !== reached) {
        check(
          "clSetKernelExecInfo",
          cl.clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, memory.byteLength, memory),
        );
        reached = memory;
      }
      for (let d = 0; d < 3; d++) {
        i64[d] = BigInt((grid[d] as number) * (threads[d] as number));
        i64[3 + d] = BigInt(threads[d] as number);
      }
      const queued = cl.clEnqueueNDRangeKernel(queue, kernel, 3, 0, address, address + 24, 0, 0, 0);
      if (queued !== 0) throw refusal("clEnqueueNDRangeKernel", queued, "", symbol, userText);
      if (++host.launches % launchesPerFlush === 0) check("clFlush", cl.clFlush(queue));
      if (host.waits) host.synchronize();
    },
    unload: () => {
      host.synchronize();
      check("clReleaseKernel", cl.clReleaseKernel(kernel));
      check("clReleaseProgram", cl.clReleaseProgram(program));
      range.release();
    },
  };
}

function refusal(call: string, code: number, log: string, symbol: string, userText: string | undefined) {
  const more = [
    ` The driver did not take the kernel ${symbol}${userText ? `:\n\n${userText}\n` : "."}`,
    ...(log === "" ? [] : [`\nThe driver says:\n${log}`]),
  ].join("");
  return failure(call, code, more, "code-refused");
}

function buildLog({ device }: KernelHost, program: number): string {
  const log = new Uint8Array(2 ** 16);
  openCl().clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.length, log, [0]);
  return new TextDecoder().decode(log).replace(/\0.*$/s, "").trim();
}
