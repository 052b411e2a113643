// Tokens: objects whose death every collection of garbage reports, a minor one too, by the number that each was made with.
// A finalizer runs inside of the collection and may call nothing of the engine, so it only notes the number; `dead` hands
// the notes over. Each load of this module, in any thread or copy of the library, has notes of its own.
#include <stdint.h>
#include <stdlib.h>

// js_native_api.h, as far as it is needed.
extern "C" {
typedef void *napi_env, *napi_value, *napi_callback_info;
typedef int napi_status;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_finalize)(napi_env, void* data, void* hint);
napi_status napi_define_class(napi_env, const char*, size_t, napi_callback, void*, size_t, const void*, napi_value*);
napi_status napi_create_function(napi_env, const char*, size_t, napi_callback, void*, napi_value*);
napi_status napi_set_named_property(napi_env, napi_value, const char*, napi_value);
napi_status napi_set_instance_data(napi_env, void*, napi_finalize, void*);
napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t*, napi_value*, napi_value*, void**);
napi_status napi_get_value_uint32(napi_env, napi_value, uint32_t*);
napi_status napi_get_typedarray_info(napi_env, napi_value, int*, size_t*, void**, napi_value*, size_t*);
napi_status napi_create_uint32(napi_env, uint32_t, napi_value*);
napi_status napi_wrap(napi_env, napi_value, void*, napi_finalize, void*, void*);
napi_status napi_throw_error(napi_env, const char*, const char*);
}

// The numbers of dead tokens. There is room for those of all living ones, so that a finalizer need not ask for memory.
struct Notes { uint32_t *numbers, count, capacity, living; bool closed; };

static void release(Notes* notes) {
  if (!notes->closed || notes->living > 0) return;
  free(notes->numbers);
  free(notes);
}

static void died(napi_env, void* data, void* number) {
  Notes* notes = (Notes*)data;
  notes->numbers[notes->count++] = (uint32_t)(uintptr_t)number;
  notes->living--;
  release(notes);
}

// At the end of a thread the engine finalizes tokens before or after this.
static void closed(napi_env, void* notes, void*) {
  ((Notes*)notes)->closed = true;
  release((Notes*)notes);
}

static bool hasRoom(Notes* notes) {
  if (notes->count + notes->living < notes->capacity) return true;
  uint32_t capacity = 2 * notes->capacity + 1024;
  uint32_t* numbers = (uint32_t*)realloc(notes->numbers, capacity * sizeof(uint32_t));
  if (!numbers) return false;
  notes->numbers = numbers;
  notes->capacity = capacity;
  return true;
}

// new Token(number)
static napi_value construct(napi_env env, napi_callback_info info) {
  size_t given = 1;
  napi_value argument, self;
  Notes* notes;
  uint32_t number;
  napi_get_cb_info(env, info, &given, &argument, &self, (void**)&notes);
  if (napi_get_value_uint32(env, argument, &number) || !hasRoom(notes) ||
      napi_wrap(env, self, notes, died, (void*)(uintptr_t)number, nullptr))
    napi_throw_error(env, nullptr, "No token could be made.");
  else
    notes->living++;
  return self;
}

// dead(into: Uint32Array): number writes numbers of dead tokens, and returns how many.
static napi_value dead(napi_env env, napi_callback_info info) {
  size_t given = 1, length = 0;
  napi_value array, result = nullptr;
  Notes* notes;
  uint32_t *into, count = 0;
  napi_get_cb_info(env, info, &given, &array, nullptr, (void**)&notes);
  if (!napi_get_typedarray_info(env, array, nullptr, &length, (void**)&into, nullptr, nullptr))
    while (count < length && notes->count > 0) into[count++] = notes->numbers[--notes->count];
  napi_create_uint32(env, count, &result);
  return result;
}

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Only the finalizers of an experimental module run inside of the collection.
EXPORTED int32_t node_api_module_get_api_version_v1() { return 0x7fffffff; }
EXPORTED napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  Notes* notes = (Notes*)calloc(1, sizeof(Notes));
  napi_value value;
  if (!notes || napi_set_instance_data(env, notes, closed, nullptr)) return nullptr;
  napi_define_class(env, "Token", (size_t)-1, construct, notes, 0, nullptr, &value);
  napi_set_named_property(env, exports, "Token", value);
  napi_create_function(env, "dead", (size_t)-1, dead, notes, &value);
  napi_set_named_property(env, exports, "dead", value);
  return exports;
}
