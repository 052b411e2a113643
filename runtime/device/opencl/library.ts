// libOpenCL, the loader of OpenCL's drivers: C stays C here. One table pairs each prototype with its TypeScript signature, and
// every status passes `check`. Handles and addresses are uintptr_t, because koffi passes plain numbers fastest.
import { DeviceError } from "../../base/errors.js";
import { ffi } from "../ffi.js";

/** A cl_int: 0 is success. */
export type Status = number;
/** An array for one result: the call writes element 0. */
export type Out = [number];
/** Bytes of JavaScript, or no memory. */
type Bytes = Uint8Array | BigUint64Array | null;

/** `clEnqueueSVMMemcpy` between memory of these kinds. */
type Copy<To, From, Event> = (
  queue: number,
  waits: number,
  to: To,
  from: From,
  bytes: number,
  events: number,
  list: number,
  event: Event,
) => Status;

/** OpenCL's functions by their C names; comments give the C types of cl.h. */
export interface OpenCl {
  /** `cl_int clGetPlatformIDs(cl_uint, cl_platform_id *, cl_uint *);` */
  clGetPlatformIDs(room: number, platforms: Bytes, count: Out): Status;
  /** `cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info, size_t, void *, size_t *);` */
  clGetPlatformInfo(platform: number, what: number, room: number, value: Bytes, size: Out): Status;
  /** `cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);` */
  clGetDeviceIDs(platform: number, type: bigint, room: number, devices: Bytes, count: Out): Status;
  /** `cl_int clGetDeviceInfo(cl_device_id, cl_device_info, size_t, void *, size_t *);` */
  clGetDeviceInfo(device: number, what: number, room: number, value: Bytes, size: Out): Status;
  /** `cl_context clCreateContext(const cl_context_properties *, cl_uint, const cl_device_id *, callback, void *, cl_int *);` */
  clCreateContext(
    properties: number,
    count: number,
    devices: Bytes,
    callback: number,
    data: number,
    result: Out,
  ): number;
  /** `cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties, cl_int *);` */
  clCreateCommandQueue(context: number, device: number, properties: bigint, result: Out): number;
  /** `cl_program clCreateProgramWithIL(cl_context, const void *, size_t, cl_int *);` */
  clCreateProgramWithIL(context: number, il: Bytes, bytes: number, result: Out): number;
  /** `cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id *, const char *, callback, void *);` */
  clBuildProgram(
    program: number,
    count: number,
    devices: Bytes,
    options: string,
    callback: number,
    data: number,
  ): Status;
  /** `cl_int clGetProgramBuildInfo(cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *);` */
  clGetProgramBuildInfo(
    program: number,
    device: number,
    what: number,
    room: number,
    value: Bytes,
    size: Out,
  ): Status;
  /** `cl_int clReleaseProgram(cl_program);` */
  clReleaseProgram(program: number): Status;
  /** `cl_kernel clCreateKernel(cl_program, const char *, cl_int *);` */
  clCreateKernel(program: number, name: string, result: Out): number;
  /** `cl_int clReleaseKernel(cl_kernel);` */
  clReleaseKernel(kernel: number): Status;
  /** `cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void *);` */
  clSetKernelArg(kernel: number, index: number, bytes: number, value: number): Status;
  /** `cl_int clSetKernelExecInfo(cl_kernel, cl_kernel_exec_info, size_t, const void *);` */
  clSetKernelExecInfo(kernel: number, what: number, bytes: number, value: Bytes): Status;
  /** `void *clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint);` */
  clSVMAlloc(context: number, flags: bigint, bytes: number, alignment: number): number;
  /** `void clSVMFree(cl_context, void *);` */
  clSVMFree(context: number, pointer: number): void;
  /** `cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *);` */
  clEnqueueNDRangeKernel(
    queue: number,
    kernel: number,
    dims: number,
    offset: number,
    global: number,
    local: number,
    events: number,
    list: number,
    event: number,
  ): Status;
  /** `cl_int clEnqueueSVMMemcpy(cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint, const cl_event *, cl_event *);` */
  readonly copy: Copy<number, number, number>;
  /** The same with an event. */
  readonly markedCopy: Copy<number, number, Out>;
  /** The same from memory of JavaScript. */
  readonly write: Copy<number, Bytes, number>;
  /** The same to memory of JavaScript. */
  readonly read: Copy<Bytes, number, number>;
  /** `cl_int clEnqueueMarkerWithWaitList(cl_command_queue, cl_uint, const cl_event *, cl_event *);` */
  clEnqueueMarkerWithWaitList(queue: number, count: number, list: number, event: Out): Status;
  /** `cl_int clGetEventInfo(cl_event, cl_event_info, size_t, void *, size_t *);`, for a status. */
  clGetEventInfo(event: number, what: number, room: number, value: Out, size: number): Status;
  /** `cl_int clGetEventProfilingInfo(cl_event, cl_profiling_info, size_t, void *, size_t *);` */
  clGetEventProfilingInfo(event: number, what: number, room: number, value: Bytes, size: number): Status;
  /** `cl_int clReleaseEvent(cl_event);` */
  clReleaseEvent(event: number): Status;
  /** `cl_int clFlush(cl_command_queue);` */
  clFlush(queue: number): Status;
}

const handle = "uintptr_t";
const bytes = "void *";
const result = "_Out_ int *";
const size = "_Out_ size_t *";
const event = "_Out_ uintptr_t *";

// A function by its name here, its name in C, the type of its result and those of its parameters.
const table: readonly (readonly [keyof OpenCl, string, string, readonly string[]])[] = [
  same("clGetPlatformIDs", "int", "uint32", bytes, "_Out_ uint32 *"),
  same("clGetPlatformInfo", "int", handle, "uint32", "size_t", bytes, size),
  same("clGetDeviceIDs", "int", handle, "uint64", "uint32", bytes, "_Out_ uint32 *"),
  same("clGetDeviceInfo", "int", handle, "uint32", "size_t", bytes, size),
  same("clCreateContext", handle, handle, "uint32", bytes, handle, handle, result),
  same("clCreateCommandQueue", handle, handle, handle, "uint64", result),
  same("clCreateProgramWithIL", handle, handle, bytes, "size_t", result),
  same("clBuildProgram", "int", handle, "uint32", bytes, "str", handle, handle),
  same("clGetProgramBuildInfo", "int", handle, handle, "uint32", "size_t", bytes, size),
  same("clReleaseProgram", "int", handle),
  same("clCreateKernel", handle, handle, "str", result),
  same("clReleaseKernel", "int", handle),
  same("clSetKernelArg", "int", handle, "uint32", "size_t", handle),
  same("clSetKernelExecInfo", "int", handle, "uint32", "size_t", bytes),
  same("clSVMAlloc", handle, handle, "uint64", "size_t", "uint32"),
  same("clSVMFree", "void", handle, handle),
  same(
    "clEnqueueNDRangeKernel",
    "int",
    handle,
    handle,
    "uint32",
    handle,
    handle,
    handle,
    "uint32",
    handle,
    handle,
  ),
  copying("copy", handle, handle, handle),
  copying("markedCopy", handle, handle, event),
  copying("write", handle, bytes, handle),
  copying("read", bytes, handle, handle),
  same("clEnqueueMarkerWithWaitList", "int", handle, "uint32", handle, event),
  same("clGetEventInfo", "int", handle, "uint32", "size_t", result, handle),
  same("clGetEventProfilingInfo", "int", handle, "uint32", "size_t", bytes, handle),
  same("clReleaseEvent", "int", handle),
  same("clFlush", "int", handle),
];

type Entry = (typeof table)[number];

function copying(name: keyof OpenCl, to: string, from: string, mark: string): Entry {
  const parameters = [handle, "uint32", to, from, "size_t", "uint32", handle, mark];
  return [name, "clEnqueueSVMMemcpy", "int", parameters];
}

function same(name: keyof OpenCl, type: string, ...parameters: readonly string[]): Entry {
  return [name, name, type, parameters];
}

/** How to get a driver. */
export const driverHelp =
  "Install an OpenCL driver with its loader (Debian, Ubuntu: `apt-get install ocl-icd-libopencl1` and `intel-opencl-icd` for Intel's GPUs, or `pocl-opencl-icd` for processors), or use the cpu device.";

/** The name of the loader's library. */
export const libraryName = "libOpenCL.so.1";

let loaded: OpenCl | undefined;

/** The loader of drivers, opened at first use; throws DeviceError `no-driver`. */
export function openCl(): OpenCl {
  if (loaded) return loaded;
  const library = openLibrary();
  loaded = Object.fromEntries(
    table.map(([name, symbol, type, parameters]) => [name, bind(library, symbol, type, parameters)]),
  ) as unknown as OpenCl;
  return loaded;
}

type Library = ReturnType<ReturnType<typeof ffi>["load"]>;

function openLibrary(): Library {
  try {
    return ffi().load(libraryName);
  } catch (error) {
    if (error instanceof DeviceError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DeviceError(
      "no-driver",
      `OpenCL's loader ${libraryName} cannot be loaded (${reason}).`,
      driverHelp,
    );
  }
}

/** A function of the library; if an older one lacks it, calling it throws. */
function bind(library: Library, symbol: string, type: string, parameters: readonly string[]) {
  try {
    return library.func(symbol, type, [...parameters]);
  } catch {
    return () => {
      throw new DeviceError(
        "old-driver",
        `OpenCL's loader ${libraryName} has no ${symbol}.`,
        "Install a newer loader: jitlab needs one of OpenCL 2.1 or later.",
      );
    };
  }
}

/** The loader found no driver. */
export const CL_PLATFORM_NOT_FOUND_KHR = -1001;

// Statuses of cl.h: the name, and the code of an error where the status says enough for one.
const statuses: Readonly<Record<Status, readonly [name: string, code?: string]>> = {
  [-1]: ["CL_DEVICE_NOT_FOUND"],
  [-2]: ["CL_DEVICE_NOT_AVAILABLE", "device-lost"],
  [-4]: ["CL_MEM_OBJECT_ALLOCATION_FAILURE", "out-of-memory"],
  [-5]: ["CL_OUT_OF_RESOURCES", "device-lost"],
  [-6]: ["CL_OUT_OF_HOST_MEMORY", "out-of-memory"],
  [-11]: ["CL_BUILD_PROGRAM_FAILURE"],
  [-14]: ["CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "device-lost"],
  [-30]: ["CL_INVALID_VALUE"],
  [-42]: ["CL_INVALID_BINARY"],
  [-46]: ["CL_INVALID_KERNEL_NAME"],
  [-51]: ["CL_INVALID_ARG_SIZE"],
  [-54]: ["CL_INVALID_WORK_GROUP_SIZE"],
  [-59]: ["CL_INVALID_OPERATION"],
  [CL_PLATFORM_NOT_FOUND_KHR]: ["CL_PLATFORM_NOT_FOUND_KHR"],
};

const helps: Readonly<Record<string, string>> = {
  "out-of-memory": "Dispose of tensors, or use smaller ones.",
  "device-lost":
    "A kernel failed, or the driver has lost the device with all tensors on it. Restart the notebook's kernel; a script, start again.",
  "code-refused":
    "Correct the functor if the driver's words are about yours; otherwise install a newer driver of this device, or use the cpu device.",
};

/** Passes a status: throws DeviceError with the call and the error's name unless it is success. */
export function check(call: string, result: Status): void {
  if (result !== 0) throw failure(call, result);
}

/** The error of a status; `more` is what else is known, `otherwise` the code of a status that means nothing by itself. */
export function failure(call: string, result: Status, more = "", otherwise = "opencl-error"): DeviceError {
  const [name, code = otherwise] = statuses[result] ?? [`error ${result}`];
  return new DeviceError(code, `${call} failed: ${name}.${more}`, helps[code] ?? "");
}
