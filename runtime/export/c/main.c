// Repeats the launches of launch.h: writes their inputs, launches, and compares every result with the recorded bits.
// Then it does all of it again, up to 21 times or for a second, and prints the median time of the launches.
//
//   ./run [--once] [FOLDER]    FOLDER has the kernels' code; default: this one
#include "device.h"
#include "launch.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COUNT(list) (int)(sizeof(list) / sizeof(list[0]))
#define ROUNDS 21

static unsigned char *memory[COUNT(buffers)];
static void *code[COUNT(kernels)];
static unsigned char *arguments[COUNT(steps)];  // of launches, with this process's addresses
static const unsigned char *files[COUNT(steps)];

static void fail(const char *what, const char *which) {
  fprintf(stderr, "%s %s\n", what, which);
  exit(2);
}

// The elements of a .npy file, behind its header.
static const unsigned char *elements(const char *path, size_t bytes) {
  int file = open(path, O_RDONLY);
  struct stat found;
  if (file < 0 || fstat(file, &found) != 0) fail("Cannot read", path);
  unsigned char *data = mmap(NULL, found.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (data == MAP_FAILED || found.st_size < 10) fail("Cannot read", path);
  size_t start = 10 + data[8] + 256 * data[9];
  if (start + bytes != (size_t)found.st_size) fail("Not the recorded size:", path);
  return data + start;
}

static void fillRandomly(unsigned char *to, const struct Step *step) {
  static uint64_t state = 88172645463325252u;
  unsigned char *made = malloc(step->bytes);
  if (made == NULL) fail("No memory for", "random elements");
  for (size_t at = 0; at + step->width <= step->bytes; at += step->width) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    // Floats from 1 to 2, integers 0 and 1.
    uint64_t bits = step->fraction ? step->one | ((state >> 8) & ((1ull << step->fraction) - 1)) : (state >> 40) & 1;
    memcpy(made + at, &bits, step->width);
  }
  deviceWrite(to, made, step->bytes);
  free(made);
}

// 0 for equal bits; prints the first difference.
static int differs(const unsigned char *at, const struct Step *step, const unsigned char *expected) {
  unsigned char *found = malloc(step->bytes);
  if (found == NULL) fail("No memory for", step->file);
  deviceRead(found, at, step->bytes);
  size_t first = step->bytes, count = 0;
  for (size_t i = step->bytes; i-- > 0;)
    if (found[i] != expected[i]) first = i, count++;
  if (count > 0)
    printf("%s: %zu of %zu bytes differ, the first one at %zu: %02x instead of %02x (%s)\n", step->file, count, step->bytes,
           first, found[first], expected[first], step->name);
  free(found);
  return count > 0;
}

// One round; the microseconds of its launches.
static double run(int checks, int *different) {
  double time = 0;
  for (int i = 0; i < COUNT(buffers); i++) deviceClear(memory[i], buffers[i].bytes);
  for (int i = 0; i < COUNT(steps); i++) {
    const struct Step *step = &steps[i];
    unsigned char *at = memory[step->buffer] + step->offset;
    switch (step->kind) {
      case LOAD: deviceWrite(at, files[i], step->bytes); break;
      case CLEAR: deviceClear(at, step->bytes); break;
      case RANDOM: fillRandomly(at, step); break;
      case CONSTANT: kernelConstant(code[step->kernel], step->name, files[i], step->bytes); break;
      case LAUNCH: time += kernelLaunch(code[step->kernel], step, arguments[i], step->bytes); break;
      case CHECK: if (checks) *different |= differs(at, step, files[i]); break;
    }
  }
  return time;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int count, char **words) {
  const char *folder = ".";
  int once = 0, launches = 0, checked = 0, different = 0;
  for (int i = 1; i < count; i++)
    if (strcmp(words[i], "--once") == 0) once = 1;
    else folder = words[i];

  deviceOpen();
  for (int i = 0; i < COUNT(kernels); i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, kernels[i].file);
    code[i] = kernelLoad(path, kernels[i].symbol);
  }
  for (int i = 0; i < COUNT(buffers); i++)
    memory[i] = (unsigned char *)deviceAllocate(buffers[i].bytes + buffers[i].late) + buffers[i].late;
  for (int i = 0; i < COUNT(steps); i++) {
    const struct Step *step = &steps[i];
    if (step->file) files[i] = elements(step->file, step->bytes);
    checked += step->kind == CHECK;
    if (step->kind != LAUNCH) continue;
    launches++;
    // Aligned as in the notebook.
    arguments[i] = aligned_alloc(64, (step->bytes + 63) / 64 * 64);
    if (arguments[i] == NULL) fail("No memory for the arguments of", step->name);
    memcpy(arguments[i], step->arguments, step->bytes);
    for (int k = 0; k < step->pointerCount; k++) {
      const struct Pointer *to = &step->pointers[k];
      unsigned char *address = memory[to->buffer] + to->offset;
      memcpy(arguments[i] + to->at, &address, sizeof address);
    }
  }

  double times[ROUNDS + 1], began = seconds();
  times[0] = run(1, &different);
  if (different) return 1;
  printf(checked ? "equal bits" : "random inputs");
  if (launches > 1) printf(", %d launches", launches);
  if (!once) {
    int rounds = 0;
    while (rounds < ROUNDS && (rounds == 0 || seconds() - began < 1)) times[rounds++] = run(0, &different);
    qsort(times, rounds, sizeof times[0], ascending);
    printf(", %.1f us", times[rounds / 2]);
  }
  printf("\n");
  return 0;
}
