// A libcuda without a GPU, for tests of the calls into it: memory is the host's, and the one kernel that it knows adds 1.
// FAKE_CUDA_INIT and FAKE_CUDA_LOAD are the errors of cuInit and cuModuleLoadData, FAKE_CUDA_VERSION the driver's version.
// FAKE_CUDA_GRAPH is the error of cuGraphInstantiate, FAKE_CUDA_MIB the memory. Launches of kernels in real machine code are written to the file that FAKE_CUDA_LOG names, with the bytes of their arguments.
#include <stdio.h>
// Where the real cuda.h is at hand it is included, so that the C compiler checks these prototypes against NVIDIA's.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef REAL_HEADER
#include <cuda.h>
#else
typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef int CUfunction_attribute;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemFree cuMemFree_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
typedef struct {
  CUfunction func;
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void **kernelParams, **extra, *kern, *ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef struct { int id; char pad[4]; union { char pad[64]; int cooperative; } value; } CUlaunchAttribute;
typedef struct {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
} CUlaunchConfig;
#endif

static size_t used;
static int lost;
static int clock;

static int chosen(const char *name, int usual) { return getenv(name) ? atoi(getenv(name)) : usual; }

#define TOTAL ((size_t)chosen("FAKE_CUDA_MIB", 64) << 20)

CUresult cuInit(unsigned int flags) { return flags == 0 ? chosen("FAKE_CUDA_INIT", 0) : 1; }
CUresult cuDriverGetVersion(int *version) { *version = chosen("FAKE_CUDA_VERSION", 13000); return 0; }
CUresult cuGetErrorName(CUresult error, const char **text) {
  static const struct { int error; const char *name; } names[] = {
    {100, "CUDA_ERROR_NO_DEVICE"}, {200, "CUDA_ERROR_INVALID_IMAGE"}, {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {802, "CUDA_ERROR_SYSTEM_NOT_READY"}, {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
  };
  *text = "CUDA_ERROR_OTHER";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) if (names[i].error == error) *text = names[i].name;
  return 0;
}
CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = error == 700 ? "an illegal memory access was encountered" : "something else";
  return 0;
}
static int devices(void) { return chosen("FAKE_CUDA_DEVICES", 1); }
CUresult cuDeviceGetCount(int *count) { *count = devices(); return 0; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { *device = ordinal; return ordinal < devices() ? 0 : 101; }
CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  strncpy(name, "Fake GPU", (size_t)length);
  return device < devices() ? 0 : 101;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute name, CUdevice device) {
  *value = name == 75 ? 9 : name == 76 ? 0 : name == 39 ? 2048 : name == 97 ? 232448 : name == 16 ? 4 : 1;
  return device < devices() ? 0 : 101;
}
static CUcontext current;
static int is_context(CUcontext context) { return context >= (CUcontext)0x1234 && context < (CUcontext)(0x1234ul + devices()); }
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  *context = (CUcontext)(0x1234ul + device);
  return device < devices() ? 0 : 101;
}
CUresult cuCtxSetCurrent(CUcontext context) { current = context; return is_context(context) ? 0 : 201; }
// FAKE_CUDA_PEERS names the file to which access is written; without it no GPU reaches another.
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  *can = getenv("FAKE_CUDA_PEERS") != 0;
  return device == peer ? 101 : 0;
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  static char enabled[16];
  char *one = &enabled[4 * ((unsigned long)current - 0x1234ul) + ((unsigned long)peer - 0x1234ul)];
  if (flags || !is_context(peer) || peer == current) return 1;
  if (*one) return 704;
  *one = 1;
  FILE *log = fopen(getenv("FAKE_CUDA_PEERS"), "a");
  fprintf(log, "%lu reaches %lu\n", (unsigned long)current - 0x1234ul, (unsigned long)peer - 0x1234ul);
  fclose(log);
  return 0;
}
// Set by a collective of fake-nccl.c that never ends: work that is queued after it is never done, until it is aborted.
int fake_hang;
static int hung_at;
void fake_hang_from_now(void) { fake_hang = 1; hung_at = clock; }
CUresult cuCtxSynchronize(void) { return lost ? 700 : 0; }
#ifndef OLD_DRIVER
CUresult cuStreamQuery(CUstream stream) { return stream != 0 ? 400 : lost ? 700 : fake_hang ? 600 : 0; }
#endif
CUresult cuMemGetInfo(size_t *available, size_t *total) { *available = TOTAL - used; *total = TOTAL; return 0; }
// Blocks lie side by side, as a GPU's may; a copy stays within one, as on a GPU.
static struct block { CUdeviceptr first; size_t bytes; struct block *next; } *blocks;
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
  static char *memory;
  if (used + bytes > TOTAL) return 2;
  if (!memory) memory = mmap(0, TOTAL * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CUdeviceptr first = (CUdeviceptr)memory;
  struct block **at = &blocks;
  for (; *at && (*at)->first < first + bytes; at = &(*at)->next) first = (*at)->first + ((*at)->bytes + 511) / 512 * 512;
  struct block *made = malloc(sizeof *made);
  *made = (struct block){first, bytes, *at};
  *at = made;
  used += bytes;
  *pointer = first;
  return first + bytes > (CUdeviceptr)memory + TOTAL * 2 ? 2 : 0;
}
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) { *pointer = calloc(1, bytes); return flags == 3 ? 0 : 1; }
CUresult cuMemFree(CUdeviceptr pointer) {
  for (struct block **at = &blocks; *at; at = &(*at)->next) {
    struct block *freed = *at;
    if (freed->first != pointer) continue;
    used -= freed->bytes;
    *at = freed->next;
    free(freed);
    return 0;
  }
  return 1;
}
static int within(CUdeviceptr first, size_t bytes) {
  struct block *one = blocks;
  while (one && first >= one->first + one->bytes) one = one->next;
  return one && first >= one->first && first + bytes <= one->first + one->bytes;
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) { memcpy((void *)to, from, bytes); return 0; }
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  if (lost) return 700;
  memcpy(to, (void *)from, bytes);
  return 0;
}
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return stream == 0 ? cuMemcpyDtoH(to, from, bytes) : 400;
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  if (!within(to, bytes) || !within(from, bytes)) return 1;
  memmove((void *)to, (void *)from, bytes);
  return stream == 0 ? 0 : 400;
}
// A copy between GPUs has to wait for the source's queue, and the source's queue for it.
static char ordered[4][4];
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t bytes, CUstream stream) {
  if (!is_context(toContext) || !is_context(fromContext) || !within(to, bytes) || !within(from, bytes)) return 1;
  char *waits = &ordered[(unsigned long)toContext - 0x1234ul][(unsigned long)fromContext - 0x1234ul];
  if (current != toContext || stream != 0 || !*waits) return 400;
  *waits = 0;
  memmove((void *)to, (void *)from, bytes);
  return 0;
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  *module = (CUmodule)0x5678;
  if (getenv("FAKE_CUDA_LOAD")) return chosen("FAKE_CUDA_LOAD", 0);
  return memcmp(image, "FAKE", 4) == 0 || (getenv("FAKE_CUDA_LOG") && memcmp(image, "\x7f" "ELF", 4) == 0) ? 0 : 200;
}
CUresult cuModuleUnload(CUmodule module) { return module == (CUmodule)0x5678 ? 0 : 400; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  *function = (CUfunction)(strcmp(name, "plus_one") == 0 ? 1ul : strcmp(name, "reads_wildly") == 0 ? 2ul : (unsigned long)strdup(name));
  return module != (CUmodule)0x5678 ? 400 : strcmp(name, "missing") == 0 ? 500 : 0;
}
// Every variable has 36 bytes, but for one that is not there.
static char variable[36];
CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name) {
  *pointer = (CUdeviceptr)variable;
  *bytes = sizeof variable;
  return module != (CUmodule)0x5678 ? 400 : strcmp(name, "nowhere") == 0 ? 500 : 0;
}
static int granted;
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute name, int value) {
  granted = value;
  return function == 0 || name != 8 || value > 232448 ? 1 : 0;
}
static CUresult logged(const char *how, CUfunction function, const unsigned *shape, unsigned shared, void **extra) {
  if (shared > 49152 && shared > (unsigned)granted) return 1;
  if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != 0) return 1;
  FILE *log = fopen(getenv("FAKE_CUDA_LOG"), "a");
  fprintf(log, "%s %s %u,%u,%u %u,%u,%u %u ", how, (const char *)function, shape[0], shape[1], shape[2], shape[3], shape[4], shape[5], shared);
  for (size_t i = 0; i < *(size_t *)extra[3]; i++) fprintf(log, "%02x", ((unsigned char *)extra[1])[i]);
  fprintf(log, "\n");
  fclose(log);
  return 0;
}
static const char *how = "launch";
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
  if (config->numAttrs != 1 || config->attrs->id != 2 || config->attrs->value.cooperative != 1) return 1;
  if (config->hStream != 0 || parameters != 0) return 1;
  return logged("together", function, &config->gridDimX, config->sharedMemBytes, extra);
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute name, CUfunction function) {
  // Threads of a block, shared bytes, constant bytes, local bytes, registers.
  static const int values[] = {256, 1536, 0, 48, 40};
  *value = values[name];
  return function == 0 ? 400 : 0;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared) {
  *blocks = function == 0 ? 0 : 1536 / threads;
  return 0;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned shared, CUstream stream, void **parameters, void **extra) {
  struct { float *out; const float *in; unsigned count; } a;
  if ((unsigned long)function > 2) {
    const unsigned shape[] = {gridX, gridY, gridZ, blockX, blockY, blockZ};
    return logged(how, function, shape, shared, extra);
  }
  if (gridY != 1 || gridZ != 1 || blockY != 1 || blockZ != 1 || shared || stream || parameters) return 1;
  if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != 0 || *(size_t *)extra[3] != sizeof a) return 1;
  if (function == (CUfunction)2) {
    lost = 1;
    return 0;
  }
  memcpy(&a, extra[1], sizeof a);
  // Two elements to a thread.
  for (unsigned i = 0; i < gridX * blockX * 2 && i < a.count; i++) a.out[i] = a.in[i] + 1;
  return 0;
}
// A node is its parameters, with a copy of the arguments; a graph to launch has copies of its nodes.
struct CUgraphNode_st { CUDA_KERNEL_NODE_PARAMS params; size_t bytes; char arguments[4096]; };
struct CUgraph_st { int count; CUgraphNode nodes[1000]; };
struct CUgraphExec_st { CUgraph graph; struct CUgraphNode_st nodes[]; };
static CUresult described(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  void **extra = params->extra;
  if (params->func == 0 || params->kernelParams || params->kern || params->ctx || params->gridDimX == 0) return 1;
  if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != 0 || *(size_t *)extra[3] > 4096) return 1;
  node->params = *params;
  node->bytes = *(size_t *)extra[3];
  memcpy(node->arguments, extra[1], node->bytes);
  return 0;
}
CUresult cuGraphCreate(CUgraph *graph, unsigned int flags) { *graph = calloc(1, sizeof **graph); return (int)flags; }
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *params) {
  // One after the other.
  if (count != (graph->count > 0) || (count == 1 && *before != graph->nodes[graph->count - 1])) return 1;
  *node = graph->nodes[graph->count++] = calloc(1, sizeof **node);
  return described(*node, params);
}
CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  if (chosen("FAKE_CUDA_GRAPH", 0)) return chosen("FAKE_CUDA_GRAPH", 0);
  *exec = calloc(1, sizeof **exec + graph->count * sizeof(struct CUgraphNode_st));
  (*exec)->graph = graph;
  for (int i = 0; i < graph->count; i++) (*exec)->nodes[i] = *graph->nodes[i];
  return (int)flags;
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  for (int i = 0; i < exec->graph->count; i++) if (exec->graph->nodes[i] == node) return described(&exec->nodes[i], params);
  return 1;
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  CUresult result = lost ? 700 : 0;
  how = "graph";
  for (int i = 0; i < exec->graph->count && result == 0; i++) {
    struct CUgraphNode_st *node = &exec->nodes[i];
    CUDA_KERNEL_NODE_PARAMS *p = &node->params;
    void *extra[] = {(void *)1, node->arguments, (void *)2, &node->bytes, 0};
    result = cuLaunchKernel(p->func, p->gridDimX, p->gridDimY, p->gridDimZ, p->blockDimX, p->blockDimY, p->blockDimZ,
                            p->sharedMemBytes, stream, 0, extra);
  }
  how = "launch";
  return result;
}
CUresult cuGraphExecDestroy(CUgraphExec exec) { free(exec); return 0; }
CUresult cuGraphDestroy(CUgraph graph) {
  for (int i = 0; i < graph->count; i++) free(graph->nodes[i]);
  free(graph);
  return 0;
}
struct CUevent_st { int time; CUcontext recorded; };
CUresult cuEventCreate(CUevent *event, unsigned int flags) { *event = calloc(1, sizeof **event); return (int)flags & ~2; }
CUresult cuEventRecord(CUevent event, CUstream stream) {
  event->time = ++clock;
  event->recorded = current;
  return stream == 0 ? 0 : 400;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  if (stream != 0 || flags || !event->recorded || event->recorded == current) return 400;
  ordered[(unsigned long)current - 0x1234ul][(unsigned long)event->recorded - 0x1234ul] = 1;
  return 0;
}
CUresult cuEventQuery(CUevent event) { return event == 0 ? 1 : fake_hang && event->time > hung_at ? 600 : 0; }
CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) { *ms = 0.5f * (end->time - start->time); return 0; }
CUresult cuEventDestroy(CUevent event) { free(event); return 0; }
