// A libOpenCL without a driver, for tests of the calls into it: memory is the host's, and kernels do nothing. OCL_STAND_IN says what
// is the matter: `none` (no driver), `empty` (no device), `no-spirv`, `no-svm`, `abort` (asking ends the process), `crash` (so
// does opening), `half` (the first of two devices has no memory), `refuse` (no kernel is taken), `lost` (the device is lost at the first launch), `small` (no float64). A line
// for each question, marker and blocking copy is added to the file that OCL_STAND_IN_LOG names.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int cl_int;
typedef unsigned cl_uint;
typedef unsigned long long cl_ulong;
typedef void *handle;

static int launched;
static void note(const char *what) {
  FILE *file = getenv("OCL_STAND_IN_LOG") ? fopen(getenv("OCL_STAND_IN_LOG"), "a") : NULL;
  if (file) {
    fprintf(file, "%s\n", what);
    fclose(file);
  }
}
static int is(const char *what) { return getenv("OCL_STAND_IN") && strcmp(getenv("OCL_STAND_IN"), what) == 0; }

static cl_int answer(const void *from, size_t bytes, size_t room, void *value, size_t *size) {
  if (size) *size = bytes;
  if (value && room < bytes) return -30;
  if (value) memcpy(value, from, bytes);
  return 0;
}
static cl_int text(const char *from, size_t room, void *value, size_t *size) {
  return answer(from, strlen(from) + 1, room, value, size);
}
static cl_int number(cl_ulong from, size_t room, void *value, size_t *size) { return answer(&from, 8, room, value, size); }

cl_int clGetPlatformIDs(cl_uint room, handle *platforms, cl_uint *count) {
  if (!platforms) note("asked");
  if (is("abort")) abort();
  if (is("none")) return -1001;
  if (count) *count = 1;
  if (platforms && room) platforms[0] = (handle)16;
  return 0;
}
cl_int clGetPlatformInfo(handle platform, cl_uint what, size_t room, void *value, size_t *size) {
  return text("Stand-in", room, value, size);
}
cl_int clGetDeviceIDs(handle platform, cl_ulong type, cl_uint room, handle *devices, cl_uint *count) {
  if (is("empty")) return -1;
  if (count) *count = is("half") ? 2 : 1;
  for (cl_uint i = 0; devices && i < room; i++) devices[i] = (handle)(unsigned long)(32 + i);
  return 0;
}
cl_int clGetDeviceInfo(handle device, cl_uint what, size_t room, void *value, size_t *size) {
  const cl_ulong subgroup = 32;
  switch (what) {
    case 0x102b: return text(device == (handle)32 ? "A device" : "Another device", room, value, size);
    case 0x102d: return text("1.0", room, value, size);
    case 0x1030: return text("cl_khr_subgroups cl_khr_int64_base_atomics cl_intel_required_subgroup_size", room, value, size);
    case 0x105b: return text(is("no-spirv") ? "" : "SPIR-V_1.2", room, value, size);
    case 0x1053: return number(is("no-svm") ? 0 : 1, room, value, size);
    case 0x1032: return number(is("small") ? 0 : 63, room, value, size);
    case 0x4108: return answer(&subgroup, 8, room, value, size);
    case 0x101f: return number(1 << 30, room, value, size);
    case 0x1010: return number(1 << 28, room, value, size);
    case 0x1017: return number(1024, room, value, size);
    case 0x105c: return number(8, room, value, size);
    default: return number(1, room, value, size);
  }
}
handle clCreateContext(const void *properties, cl_uint count, const handle *devices, void *call, void *data, cl_int *result) {
  if (is("crash")) abort();
  *result = 0;
  return is("half") && devices[0] == (handle)32 ? (handle)47 : (handle)48;
}
handle clCreateCommandQueue(handle context, handle device, cl_ulong properties, cl_int *result) {
  *result = 0;
  return (handle)64;
}
cl_int clReleaseContext(handle context) { return 0; }
cl_int clReleaseCommandQueue(handle queue) { return 0; }
handle clCreateProgramWithIL(handle context, const void *il, size_t bytes, cl_int *result) {
  *result = 0;
  return (handle)80;
}
cl_int clBuildProgram(handle program, cl_uint count, const handle *devices, const char *options, void *call, void *data) {
  return is("refuse") ? -11 : 0;
}
cl_int clGetProgramBuildInfo(handle program, handle device, cl_uint what, size_t room, void *value, size_t *size) {
  return text("there is no such instruction", room, value, size);
}
cl_int clReleaseProgram(handle program) { return 0; }
handle clCreateKernel(handle program, const char *name, cl_int *result) {
  *result = 0;
  return (handle)96;
}
cl_int clReleaseKernel(handle kernel) { return 0; }
cl_int clSetKernelArg(handle kernel, cl_uint index, size_t bytes, const void *value) { return 0; }
cl_int clSetKernelExecInfo(handle kernel, cl_uint what, size_t bytes, const void *value) { return 0; }
void *clSVMAlloc(handle context, cl_ulong flags, size_t bytes, cl_uint alignment) {
  return bytes > 1 << 28 || context == (handle)47 ? NULL : aligned_alloc(128, (bytes + 127) / 128 * 128);
}
void clSVMFree(handle context, void *pointer) { free(pointer); }
cl_int clEnqueueNDRangeKernel(handle queue, handle kernel, cl_uint dims, const size_t *offset, const size_t *global,
                              const size_t *local, cl_uint count, const handle *list, handle *event) {
  launched = 1;
  return 0;
}
cl_int clEnqueueSVMMemcpy(handle queue, cl_uint waits, void *to, const void *from, size_t bytes, cl_uint count,
                          const handle *list, handle *event) {
  if (waits) note("copied");
  memmove(to, from, bytes);
  if (event) *event = (handle)128;
  return 0;
}
cl_int clEnqueueMarkerWithWaitList(handle queue, cl_uint count, const handle *list, handle *event) {
  note("marked");
  *event = (handle)112;
  return 0;
}
cl_int clGetEventInfo(handle event, cl_uint what, size_t room, cl_int *value, size_t *size) {
  *value = launched && is("lost") ? -14 : 0;
  return 0;
}
cl_int clGetEventProfilingInfo(handle event, cl_uint what, size_t room, cl_ulong *value, size_t *size) {
  *value = 0;
  return 0;
}
cl_int clReleaseEvent(handle event) { return 0; }
cl_int clFlush(handle queue) { return 0; }
