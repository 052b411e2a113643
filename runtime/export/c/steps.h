// The records of which launch.h is a list: what main.c does, in order.
#pragma once
#include <stddef.h>

enum Kind {
  LOAD,      // writes a file into a buffer
  CLEAR,     // sets a part of a buffer to zero
  RANDOM,    // fills it with random elements
  CONSTANT,  // writes a file into a variable of a kernel's code
  LAUNCH,
  CHECK,     // compares a part of a buffer with a file, bit by bit
};

struct Buffer {
  size_t bytes;
  size_t late;  // it begins so many bytes after a multiple of 256, as in the notebook
};

struct Kernel {
  const char *file;  // without its folder
  const char *symbol;
};

// An address among a launch's arguments: the byte at which it lies, and where it points.
struct Pointer {
  size_t at;
  int buffer;
  size_t offset;
};

struct Step {
  enum Kind kind;
  int buffer;
  size_t offset, bytes;
  const char *file;  // .npy
  const char *name;  // of a variable, or of a launch's operation
  size_t width, fraction;  // of random elements: their bytes, and the bits of a float's fraction, 0 for integers
  unsigned long long one;  // the bits of 1
  int kernel;
  long long grid[3], block[3];
  unsigned shared;
  int cooperative;
  const unsigned char *arguments;
  const struct Pointer *pointers;
  int pointerCount;
};
