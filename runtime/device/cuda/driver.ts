// libcuda: C stays C here. One table pairs each prototype with its TypeScript signature, and every status passes `check`.
// Handles and device addresses are uintptr_t, because koffi passes plain numbers fastest.
import { DeviceError } from "../../base/errors.js";
import { ffi } from "../ffi.js";

/** CUresult: 0 is success. */
export type Status = number;
/** An array for one result: the call writes element 0. */
export type Out = [number];

/** The driver's functions by their C names; comments give the C types of cuda.h. */
export interface Driver {
  /** `CUresult cuInit(unsigned int Flags);` */
  cuInit(flags: number): Status;
  /** `CUresult cuDriverGetVersion(int *driverVersion);` */
  cuDriverGetVersion(version: Out): Status;
  /** `CUresult cuGetErrorName(CUresult error, const char **pStr);` */
  cuGetErrorName(status: Status, text: [string | null]): Status;
  /** `CUresult cuGetErrorString(CUresult error, const char **pStr);` */
  cuGetErrorString(status: Status, text: [string | null]): Status;
  /** `CUresult cuDeviceGetCount(int *count);` */
  cuDeviceGetCount(count: Out): Status;
  /** `CUresult cuDeviceGet(CUdevice *device, int ordinal);` */
  cuDeviceGet(device: Out, ordinal: number): Status;
  /** `CUresult cuDeviceGetName(char *name, int len, CUdevice dev);` */
  cuDeviceGetName(name: Uint8Array, length: number, device: number): Status;
  /** `CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev);` */
  cuDeviceGetAttribute(value: Out, attribute: number, device: number): Status;
  /** `CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev);` */
  cuDevicePrimaryCtxRetain(context: Out, device: number): Status;
  /** `CUresult cuCtxSetCurrent(CUcontext ctx);` */
  cuCtxSetCurrent(context: number): Status;
  /** `CUresult cuCtxSynchronize(void);` */
  cuCtxSynchronize(): Status;
  /** `CUresult cuStreamQuery(CUstream hStream);` */
  cuStreamQuery(stream: number): Status;
  /** `CUresult cuMemGetInfo(size_t *free, size_t *total);` */
  cuMemGetInfo(free: Out, total: Out): Status;
  /** `CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize);` */
  cuMemAlloc(pointer: Out, bytes: number): Status;
  /** `CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags);` */
  cuMemHostAlloc(pointer: Out, bytes: number, flags: number): Status;
  /** `CUresult cuMemFree(CUdeviceptr dptr);` */
  cuMemFree(pointer: number): Status;
  /** `CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t ByteCount);` */
  cuMemcpyHtoD(to: number, from: Uint8Array, bytes: number): Status;
  /** `CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t ByteCount);` */
  cuMemcpyDtoH(to: Uint8Array, from: number, bytes: number): Status;
  /** `CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);`, into pinned memory. */
  cuMemcpyDtoHAsync(to: number, from: number, bytes: number, stream: number): Status;
  /** `CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dstCtx, CUdeviceptr src, CUcontext srcCtx, size_t ByteCount, CUstream hStream);` */
  cuMemcpyPeerAsync(
    to: number,
    toContext: number,
    from: number,
    fromContext: number,
    bytes: number,
    stream: number,
  ): Status;
  /** `CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev);` */
  cuDeviceCanAccessPeer(can: Out, device: number, peer: number): Status;
  /** `CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);` */
  cuCtxEnablePeerAccess(peerContext: number, flags: number): Status;
  /** `CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);` */
  cuMemcpyDtoDAsync(to: number, from: number, bytes: number, stream: number): Status;
  /** `CUresult cuModuleLoadData(CUmodule *module, const void *image);` */
  cuModuleLoadData(module: Out, image: Uint8Array): Status;
  /** `CUresult cuModuleUnload(CUmodule hmod);` */
  cuModuleUnload(module: number): Status;
  /** `CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name);` */
  cuModuleGetFunction(fn: Out, module: number, name: string): Status;
  /** `CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name);` */
  cuModuleGetGlobal(pointer: Out, bytes: Out, module: number, name: string): Status;
  /** `CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);` */
  cuFuncSetAttribute(fn: number, attribute: number, value: number): Status;
  /** `CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc);` */
  cuFuncGetAttribute(value: Out, attribute: number, fn: number): Status;
  /** `CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize);` */
  cuOccupancyMaxActiveBlocksPerMultiprocessor(
    blocks: Out,
    fn: number,
    threads: number,
    dynamicShared: number,
  ): Status;
  /** `CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, ..., CUstream hStream, void **kernelParams, void **extra);` */
  cuLaunchKernel(
    fn: number,
    gridX: number,
    gridY: number,
    gridZ: number,
    blockX: number,
    blockY: number,
    blockZ: number,
    sharedBytes: number,
    stream: number,
    parameters: number,
    extra: number,
  ): Status;
  /** `CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra);` */
  cuLaunchKernelEx(config: number, fn: number, parameters: number, extra: number): Status;
  /** `CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags);` */
  cuStreamCreate(stream: Out, flags: number): Status;
  /** `CUresult cuStreamDestroy(CUstream hStream);` */
  cuStreamDestroy(stream: number): Status;
  /** `CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode);` */
  cuStreamBeginCapture(stream: number, mode: number): Status;
  /** `CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph);` */
  cuStreamEndCapture(stream: number, graph: Out): Status;
  /** `CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags);` */
  cuGraphCreate(graph: Out, flags: number): Status;
  /** `CUresult cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams);` */
  cuGraphAddKernelNode(
    node: Out,
    graph: number,
    dependencies: number,
    count: number,
    parameters: number,
  ): Status;
  /** `CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph, CUcontext ctx, unsigned int defaultLaunchValue, unsigned int flags);` */
  cuGraphConditionalHandleCreate(
    handle: [bigint | number],
    graph: number,
    context: number,
    value: number,
    flags: number,
  ): Status;
  /** `CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData, size_t numDependencies, CUgraphNodeParams *nodeParams);` */
  cuGraphAddNode(
    node: Out,
    graph: number,
    dependencies: number,
    edges: number,
    count: number,
    parameters: Uint8Array,
  ): Status;
  /** `CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies, const CUgraphEdgeData *dependencyData, size_t numDependencies, CUstreamCaptureMode mode);` */
  cuStreamBeginCaptureToGraph(
    stream: number,
    graph: number,
    dependencies: number,
    edges: number,
    count: number,
    mode: number,
  ): Status;
  /** `CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams);` */
  cuGraphExecKernelNodeSetParams(executable: number, node: number, parameters: number): Status;
  /** `CUresult cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags);` */
  cuGraphInstantiate(executable: Out, graph: number, flags: number): Status;
  /** `CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream);` */
  cuGraphLaunch(executable: number, stream: number): Status;
  /** `CUresult cuGraphExecDestroy(CUgraphExec hGraphExec);` */
  cuGraphExecDestroy(executable: number): Status;
  /** `CUresult cuGraphDestroy(CUgraph hGraph);` */
  cuGraphDestroy(graph: number): Status;
  /** `CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);` */
  cuStreamWaitEvent(stream: number, event: number, flags: number): Status;
  /** `CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags);` */
  cuEventCreate(event: Out, flags: number): Status;
  /** `CUresult cuEventRecord(CUevent hEvent, CUstream hStream);` */
  cuEventRecord(event: number, stream: number): Status;
  /** `CUresult cuEventQuery(CUevent hEvent);` */
  cuEventQuery(event: number): Status;
  /** `CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);` */
  cuEventElapsedTime(milliseconds: Out, start: number, end: number): Status;
  /** `CUresult cuEventDestroy(CUevent hEvent);` */
  cuEventDestroy(event: number): Status;
}

const address = "uintptr_t";
const outAddress = "_Out_ uintptr_t *";
const outInt = "_Out_ int *";

// Name, the symbol that cuda.h maps it to, and the parameters' types.
const table: readonly (readonly [keyof Driver, string, readonly string[]])[] = [
  ["cuInit", "cuInit", ["unsigned int"]],
  ["cuDriverGetVersion", "cuDriverGetVersion", [outInt]],
  ["cuGetErrorName", "cuGetErrorName", ["int", "_Out_ const char **"]],
  ["cuGetErrorString", "cuGetErrorString", ["int", "_Out_ const char **"]],
  ["cuDeviceGetCount", "cuDeviceGetCount", [outInt]],
  ["cuDeviceGet", "cuDeviceGet", [outInt, "int"]],
  ["cuDeviceGetName", "cuDeviceGetName", ["void *", "int", "int"]],
  ["cuDeviceGetAttribute", "cuDeviceGetAttribute", [outInt, "int", "int"]],
  ["cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRetain", [outAddress, "int"]],
  ["cuCtxSetCurrent", "cuCtxSetCurrent", [address]],
  ["cuCtxSynchronize", "cuCtxSynchronize", []],
  ["cuStreamQuery", "cuStreamQuery", [address]],
  ["cuMemGetInfo", "cuMemGetInfo_v2", [outAddress, outAddress]],
  ["cuMemAlloc", "cuMemAlloc_v2", [outAddress, "size_t"]],
  ["cuMemHostAlloc", "cuMemHostAlloc", [outAddress, "size_t", "unsigned int"]],
  ["cuMemFree", "cuMemFree_v2", [address]],
  ["cuMemcpyHtoD", "cuMemcpyHtoD_v2", [address, "const void *", "size_t"]],
  ["cuMemcpyDtoH", "cuMemcpyDtoH_v2", ["void *", address, "size_t"]],
  ["cuMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2", [address, address, "size_t", address]],
  ["cuMemcpyPeerAsync", "cuMemcpyPeerAsync", [address, address, address, address, "size_t", address]],
  ["cuDeviceCanAccessPeer", "cuDeviceCanAccessPeer", [outInt, "int", "int"]],
  ["cuCtxEnablePeerAccess", "cuCtxEnablePeerAccess", [address, "unsigned int"]],
  ["cuMemcpyDtoDAsync", "cuMemcpyDtoDAsync_v2", [address, address, "size_t", address]],
  ["cuModuleLoadData", "cuModuleLoadData", [outAddress, "const void *"]],
  ["cuModuleUnload", "cuModuleUnload", [address]],
  ["cuModuleGetFunction", "cuModuleGetFunction", [outAddress, address, "str"]],
  ["cuModuleGetGlobal", "cuModuleGetGlobal_v2", [outAddress, outAddress, address, "str"]],
  ["cuFuncSetAttribute", "cuFuncSetAttribute", [address, "int", "int"]],
  ["cuFuncGetAttribute", "cuFuncGetAttribute", [outInt, "int", address]],
  [
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    [outInt, address, "int", "size_t"],
  ],
  [
    "cuLaunchKernel",
    "cuLaunchKernel",
    [address, ...new Array(7).fill("unsigned int"), address, address, address],
  ],
  ["cuLaunchKernelEx", "cuLaunchKernelEx", [address, address, address, address]],
  ["cuStreamCreate", "cuStreamCreate", [outAddress, "unsigned int"]],
  ["cuStreamDestroy", "cuStreamDestroy_v2", [address]],
  ["cuStreamBeginCapture", "cuStreamBeginCapture_v2", [address, "int"]],
  ["cuStreamEndCapture", "cuStreamEndCapture", [address, outAddress]],
  ["cuGraphCreate", "cuGraphCreate", [outAddress, "unsigned int"]],
  ["cuGraphAddKernelNode", "cuGraphAddKernelNode_v2", [outAddress, address, address, "size_t", address]],
  [
    "cuGraphConditionalHandleCreate",
    "cuGraphConditionalHandleCreate",
    ["_Out_ uint64_t *", address, address, "unsigned int", "unsigned int"],
  ],
  ["cuGraphAddNode", "cuGraphAddNode_v2", [outAddress, address, address, address, "size_t", "void *"]],
  [
    "cuStreamBeginCaptureToGraph",
    "cuStreamBeginCaptureToGraph",
    [address, address, address, address, "size_t", "int"],
  ],
  ["cuGraphExecKernelNodeSetParams", "cuGraphExecKernelNodeSetParams_v2", [address, address, address]],
  ["cuGraphInstantiate", "cuGraphInstantiateWithFlags", [outAddress, address, "uint64_t"]],
  ["cuGraphLaunch", "cuGraphLaunch", [address, address]],
  ["cuGraphExecDestroy", "cuGraphExecDestroy", [address]],
  ["cuGraphDestroy", "cuGraphDestroy", [address]],
  ["cuStreamWaitEvent", "cuStreamWaitEvent", [address, address, "unsigned int"]],
  ["cuEventCreate", "cuEventCreate", [outAddress, "unsigned int"]],
  ["cuEventRecord", "cuEventRecord", [address, address]],
  ["cuEventQuery", "cuEventQuery", [address]],
  ["cuEventElapsedTime", "cuEventElapsedTime", ["_Out_ float *", address, address]],
  ["cuEventDestroy", "cuEventDestroy_v2", [address]],
];

/** The queried CU_DEVICE_ATTRIBUTE_*. */
export const attribute = {
  computeCapabilityMajor: 75,
  computeCapabilityMinor: 76,
  multiprocessors: 16,
  threadsPerMultiprocessor: 39,
  cooperativeLaunch: 95,
  sharedBytesOptIn: 97,
} as const;

/** The queried CU_FUNC_ATTRIBUTE_*. */
export const functionAttribute = {
  maxThreadsPerBlock: 0,
  sharedBytes: 1,
  localBytes: 3,
  registers: 4,
  dynamicSharedBytes: 8,
} as const;

/** CUresult values with special handling. */
export const status = {
  outOfMemory: 2,
  noDevice: 100,
  notFound: 500,
  invalidImage: 200,
  noBinaryForGpu: 209,
  invalidPtx: 218,
  notReady: 600,
  peerAccessAlreadyEnabled: 704,
  notReadySystem: 802,
  driverMismatch: 803,
} as const;

type Library = ReturnType<ReturnType<typeof ffi>["load"]>;

let loaded: Driver | undefined;

const installHelp =
  "Install NVIDIA's driver (Debian, Ubuntu: `apt-get install nvidia-driver`), or use the cpu device: JITLAB_DEVICE=cpu.";

/** libcuda, opened and initialized at first use; throws DeviceError `no-driver` or the driver's error. */
export function driver(): Driver {
  if (loaded) return loaded;
  const library = openLibrary();
  const opened = Object.fromEntries(
    table.map(([name, symbol, parameters]) => [name, bind(library, symbol, parameters)]),
  ) as unknown as Driver;
  const result = opened.cuInit(0);
  if (result !== 0) throw failure(opened, "cuInit", result);
  loaded = opened;
  return loaded;
}

/** A function of the library; if an older one lacks it, calling it throws. */
function bind(library: Library, symbol: string, parameters: readonly string[]): (...args: never) => Status {
  try {
    return library.func(symbol, "int", [...parameters]);
  } catch {
    return () => {
      throw new DeviceError(
        "old-driver",
        `NVIDIA's driver has no ${symbol}.`,
        "Install a newer driver: jitlab needs one of CUDA 11.4 or later.",
      );
    };
  }
}

function openLibrary(): Library {
  try {
    return ffi().load("libcuda.so.1");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DeviceError(
      "no-driver",
      `NVIDIA's driver library libcuda.so.1 cannot be loaded (${reason}).`,
      installHelp,
    );
  }
}

/** Passes a status: throws DeviceError with the call, the error's name and its description unless it is success. */
export function check(call: string, result: Status): void {
  if (result !== 0) throw failure(driver(), call, result);
}

function failure(from: Driver, call: string, result: Status): DeviceError {
  const name: [string | null] = [null];
  const text: [string | null] = [null];
  from.cuGetErrorName(result, name);
  from.cuGetErrorString(result, text);
  return new DeviceError(
    codeOf(result),
    `${call} failed: ${name[0] ?? `error ${result}`} (${text[0] ?? "unknown"}).`,
    helpOf(result),
  );
}

function codeOf(result: Status): string {
  if (result === status.outOfMemory) return "out-of-memory";
  if (result === status.noDevice) return "no-device";
  const refused: readonly Status[] = [
    status.invalidImage,
    status.noBinaryForGpu,
    status.invalidPtx,
    222,
    223,
    300,
    301,
  ];
  if (refused.includes(result)) return "code-refused";
  return isSticky(result) ? "device-lost" : "cuda-error";
}

/** Kernel errors after which every call on the device fails (cuda.h: CUDA_ERROR_ILLEGAL_ADDRESS and similar). */
function isSticky(result: Status): boolean {
  return result === 700 || (result >= 702 && result <= 703) || (result >= 710 && result <= 719);
}

function helpOf(result: Status): string {
  if (result === status.noDevice)
    return "Check CUDA_VISIBLE_DEVICES and `nvidia-smi`, or go on with the cpu device.";
  if (isSticky(result))
    return "A kernel failed, and this process has lost the device with all tensors on it. Restart the notebook's kernel; a script, start again.";
  if (result === status.notReadySystem || result === status.driverMismatch)
    return "Restart the machine: its driver was updated or has not started. Until then use the cpu device.";
  return "";
}
