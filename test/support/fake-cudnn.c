// The graph functions of libcudnn, which compute nothing: descriptors are counted, the first engine has a note, and the first
// configuration that is tried is refused.
#include <stdint.h>
#include <stdlib.h>

enum { ENGINE = 2, HEURISTICS = 4, PLAN = 5, GRAPH = 15, PACK = 16 };

typedef struct {
  int kind;
  int64_t ids, pointers;
} descriptor;

static int64_t live, executed, noted, plans;
static int refused = -1, note = 4;

int64_t fakeLive(void) { return live; }
int64_t fakeExecuted(void) { return executed; }
int64_t fakeNoted(void) { return noted; }
void fakeRefuse(int kind) { refused = kind; noted = plans = 0; }
void fakeNote(int of) { note = of; noted = plans = 0; }

int cudnnSetStream(uintptr_t handle, uintptr_t stream) { return 0; }

int cudnnBackendCreateDescriptor(int kind, descriptor **result) {
  *result = calloc(1, sizeof(descriptor));
  (*result)->kind = kind;
  live++;
  return 0;
}

int cudnnBackendDestroyDescriptor(descriptor *one) {
  free(one);
  live--;
  return 0;
}

int cudnnBackendSetAttribute(descriptor *one, int name, int type, int64_t count, const void *values) {
  if (one->kind == PACK && name == 1000) one->ids = count;
  if (one->kind == PACK && name == 1001) one->pointers = count;
  return 0;
}

int cudnnBackendFinalize(descriptor *one) {
  if (one->kind == refused) return 2000;
  return one->kind == PLAN && plans++ == 0 ? 3000 : 0;
}

int cudnnBackendGetAttribute(descriptor *one, int name, int type, int64_t most, int64_t *count, void *values) {
  *count = name == 202 ? 3 : name == 1303 ? noted++ == 0 : 1;
  if (name == 1303 && *count) *(int32_t *)values = note;
  if (name == 402) *(int64_t *)values = 512;
  return 0;
}

int cudnnBackendExecute(uintptr_t handle, descriptor *plan, descriptor *pack) {
  executed++;
  return plan->kind == PLAN && pack->ids == pack->pointers ? 0 : 3002;
}
