// What main.c needs of a device; device.c has it.
#pragma once
#include "steps.h"

void deviceOpen(void);
void *deviceAllocate(size_t bytes);  // at a multiple of 256
void deviceWrite(void *to, const void *from, size_t bytes);
void deviceRead(void *to, const void *from, size_t bytes);
void deviceClear(void *at, size_t bytes);
void *kernelLoad(const char *path, const char *symbol);
void kernelConstant(void *kernel, const char *name, const void *from, size_t bytes);
double kernelLaunch(void *kernel, const struct Step *launch, unsigned char *arguments, size_t bytes);  // microseconds
