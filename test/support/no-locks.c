// Preloaded into a process: a file system without locks, as NFS is without its lock daemon.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

static int call(const char *name, int file, int command, void *argument) {
  if (command == F_SETLK || command == F_SETLKW) {
    errno = ENOLCK;
    return -1;
  }
  int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);
  return real(file, command, argument);
}

#define WRAPPED(name)                        \
  int name(int file, int command, ...) {     \
    va_list list;                            \
    va_start(list, command);                 \
    void *argument = va_arg(list, void *);   \
    va_end(list);                            \
    return call(#name, file, command, argument); \
  }

WRAPPED(fcntl)
WRAPPED(fcntl64)
