// The processor: kernels are shared libraries, and pool.cpp divides a launch among threads.
#define _GNU_SOURCE
#include "device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void Run(const void *arguments, long long begin, long long end);
void jitlab_launch(Run *kernel, const void *arguments, long long count, long long unit, int threads);

void deviceOpen(void) {}

void *deviceAllocate(size_t bytes) {
  void *made = aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (made != NULL) return made;
  fprintf(stderr, "No memory for %zu bytes\n", bytes);
  exit(2);
}

void deviceWrite(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

void deviceRead(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

void deviceClear(void *at, size_t bytes) { memset(at, 0, bytes); }

void *kernelLoad(const char *path, const char *symbol) {
  // A path with a slash is not searched for.
  char file[4200];
  snprintf(file, sizeof file, "./%s", path);
  void *library = dlopen(path[0] == '/' ? path : file, RTLD_NOW | RTLD_LOCAL);
  void *found = library ? dlsym(library, symbol) : NULL;
  if (found != NULL) return found;
  fprintf(stderr, "%s\n", dlerror());
  exit(2);
}

void kernelConstant(void *kernel, const char *name, const void *from, size_t bytes) {
  (void)kernel, (void)from, (void)bytes;
  fprintf(stderr, "No variable %s\n", name);
  exit(2);
}

double kernelLaunch(void *kernel, const struct Step *launch, unsigned char *arguments, size_t bytes) {
  (void)bytes;
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  jitlab_launch((Run *)kernel, arguments, launch->grid[0], launch->block[0], (int)sysconf(_SC_NPROCESSORS_ONLN));
  clock_gettime(CLOCK_MONOTONIC, &to);
  return (to.tv_sec - from.tv_sec) * 1e6 + (to.tv_nsec - from.tv_nsec) * 1e-3;
}
