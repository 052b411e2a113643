// A GPU through CUDA's driver API.
#include "device.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static void check(CUresult result, const char *call) {
  if (result == CUDA_SUCCESS) return;
  const char *text = NULL;
  cuGetErrorString(result, &text);
  fprintf(stderr, "%s: %s\n", call, text ? text : "unknown error");
  exit(2);
}
#define CHECK_CALL(name, ...) check(name(__VA_ARGS__), #name)

struct Loaded {
  CUmodule module;
  CUfunction function;
};

void deviceOpen(void) {
  CUdevice device;
  CUcontext context;
  CHECK_CALL(cuInit, 0);
  CHECK_CALL(cuDeviceGet, &device, 0);
  CHECK_CALL(cuDevicePrimaryCtxRetain, &context, device);
  CHECK_CALL(cuCtxSetCurrent, context);
}

void *deviceAllocate(size_t bytes) {
  CUdeviceptr made;
  CHECK_CALL(cuMemAlloc, &made, bytes);
  return (void *)made;
}

void deviceWrite(void *to, const void *from, size_t bytes) { CHECK_CALL(cuMemcpyHtoD, (CUdeviceptr)to, from, bytes); }

void deviceRead(void *to, const void *from, size_t bytes) { CHECK_CALL(cuMemcpyDtoH, to, (CUdeviceptr)from, bytes); }

void deviceClear(void *at, size_t bytes) { CHECK_CALL(cuMemsetD8, (CUdeviceptr)at, 0, bytes); }

void *kernelLoad(const char *path, const char *symbol) {
  struct Loaded *kernel = malloc(sizeof *kernel);
  CHECK_CALL(cuModuleLoad, &kernel->module, path);
  CHECK_CALL(cuModuleGetFunction, &kernel->function, kernel->module, symbol);
  return kernel;
}

void kernelConstant(void *kernel, const char *name, const void *from, size_t bytes) {
  CUdeviceptr at;
  size_t size;
  CHECK_CALL(cuModuleGetGlobal, &at, &size, ((struct Loaded *)kernel)->module, name);
  CHECK_CALL(cuMemcpyHtoD, at, from, bytes);
}

double kernelLaunch(void *kernel, const struct Step *launch, unsigned char *arguments, size_t bytes) {
  CUfunction function = ((struct Loaded *)kernel)->function;
  static CUevent before, after;
  if (before == NULL) {
    CHECK_CALL(cuEventCreate, &before, CU_EVENT_DEFAULT);
    CHECK_CALL(cuEventCreate, &after, CU_EVENT_DEFAULT);
  }
  if (launch->shared > 0)
    CHECK_CALL(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, launch->shared);
  // The kernel's parameters as one piece of memory.
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  CUlaunchAttribute together = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value = {.cooperative = 1}};
  CUlaunchConfig config = {
      .gridDimX = launch->grid[0], .gridDimY = launch->grid[1], .gridDimZ = launch->grid[2],
      .blockDimX = launch->block[0], .blockDimY = launch->block[1], .blockDimZ = launch->block[2],
      .sharedMemBytes = launch->shared,
      .attrs = &together, .numAttrs = launch->cooperative,
  };
  CHECK_CALL(cuEventRecord, before, NULL);
  CHECK_CALL(cuLaunchKernelEx, &config, function, NULL, extra);
  CHECK_CALL(cuEventRecord, after, NULL);
  CHECK_CALL(cuEventSynchronize, after);
  CHECK_CALL(cuCtxSynchronize);
  float milliseconds;
  CHECK_CALL(cuEventElapsedTime, &milliseconds, before, after);
  return milliseconds * 1e3;
}
