// A libnccl over the GPUs of fake-cuda.c, for tests of the calls into it: it copies what a member gives, as if all others gave nothing.
// FAKE_NCCL_LOG names the file to which calls are written; FAKE_NCCL is "connect" or "collective" for members that wait for others
// without end, "error" for one of another process, "refuse" for a first all-reduce that fails.
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned char bytes[128]; } Identifier;
typedef struct { size_t size; unsigned magic, version; int blocking; } Config;
struct communicator { int rank, isAborted; };

static int is(const char *mode) { return getenv("FAKE_NCCL") && strcmp(getenv("FAKE_NCCL"), mode) == 0; }
static void say(const char *format, ...) {
  FILE *log = fopen(getenv("FAKE_NCCL_LOG"), "a");
  va_list list;
  va_start(list, format);
  vfprintf(log, format, list);
  va_end(list);
  fclose(log);
}
static void *of_cuda(const char *name) { return dlsym(dlopen("libcuda.so.1", RTLD_LAZY), name); }

int ncclGetVersion(int *version) { *version = 22703; return 0; }
const char *ncclGetLastError(void *communicator) { return "a fake reason"; }
int ncclGetUniqueId(Identifier *id) { for (int i = 0; i < 128; i++) id->bytes[i] = i; return 0; }
int ncclCommInitRankConfig(struct communicator **made, int size, Identifier id, int rank, Config *config) {
  for (int i = 0; i < 128; i++) if (id.bytes[i] != i) return 4;
  if (config->size != 24 || config->magic != 0xcafebeef || config->version != 21400 || config->blocking != 0) return 4;
  *made = calloc(1, sizeof **made);
  (*made)->rank = rank;
  say("init %d of %d\n", rank, size);
  return 7;
}
int ncclCommInitAll(struct communicator **made, int count, const int *ordinals) {
  for (int i = 0; i < count; i++) (made[i] = calloc(1, sizeof **made))->rank = ordinals[i];
  say("init all %d\n", count);
  return 0;
}
static int queued;
int ncclCommGetAsyncError(struct communicator *one, int *state) {
  *state = is("connect") ? 7 : is("error") && queued ? 6 : 0;
  return 0;
}
int ncclCommAbort(struct communicator *one) {
  if (one->isAborted++) return 4;
  *(int *)of_cuda("fake_hang") = 0;
  say("abort %d\n", one->rank);
  return 0;
}
int ncclCommFinalize(struct communicator *one) { say("finalize %d\n", one->rank); return 7; }
int ncclCommDestroy(struct communicator *one) { say("destroy %d\n", one->rank); return 0; }
static int groups;
int ncclGroupStart(void) { groups++; return 0; }
int ncclGroupEnd(void) { say("%s", groups == 1 ? "" : "another group is open\n"); groups--; return 0; }
static int queue(const char *name, const void *from, void *to, size_t bytes, void *stream) {
  say("%s %zu\n", name, bytes);
  if (groups != 1 || stream) return 5;
  memcpy(to, from, bytes);
  queued++;
  if (is("collective")) ((void (*)(void))of_cuda("fake_hang_from_now"))();
  return 0;
}
int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, struct communicator *one, void *stream) {
  static int refused;
  if (is("refuse") && one->rank == 1 && !refused++) return 3;
  return queue("all-reduce", from, to, count * 4, stream);
}
int ncclReduceScatter(const void *from, void *to, size_t count, int type, int op, struct communicator *one, void *stream) {
  return queue("reduce-scatter", from, to, count * 4, stream);
}
int ncclAllGather(const void *from, void *to, size_t count, int type, struct communicator *one, void *stream) {
  return queue("all-gather", from, to, count, stream);
}
int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, struct communicator *one, void *stream) {
  return queue("broadcast", from, to, count, stream);
}
