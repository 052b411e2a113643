// Handles faults of users' functors on the processor. Compiled, cached and opened like a kernel; see faults.ts.
//
// A fault in a guarded kernel is written to stderr, and then ends the process as usual.
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <ucontext.h>

namespace {

struct Guarded {
  uintptr_t kernel;
  uintptr_t begin;  // of the object's code
  uintptr_t end;
  char *text;
  Guarded *next;
};

Guarded *all = nullptr;
bool installed = false;

const int signals[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL};
const char *const names[] = {"SIGFPE", "SIGSEGV", "SIGBUS", "SIGILL"};
const int count = 4;
struct sigaction before[count];

int find(dl_phdr_info *object, size_t, void *argument) {
  Guarded *guarded = (Guarded *)argument;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) &part = object->dlpi_phdr[i];
    uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || guarded->kernel < begin || guarded->kernel >= begin + part.p_memsz) continue;
    guarded->begin = begin;
    guarded->end = begin + part.p_memsz;
    return 1;
  }
  return 0;
}

// In one write, so that readers see it whole.
void say(const char *name, const char *text) {
  const char *parts[] = {"jitlab: ", name, " in ", text};
  iovec pieces[4];
  for (int i = 0; i < 4; i++) pieces[i] = {(void *)parts[i], strlen(parts[i])};
  if (writev(2, pieces, 4) < 0) return;
}

uintptr_t placeOf(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  return 0;
#endif
}

void handle(int signal, siginfo_t *info, void *argument) {
  ucontext_t *context = (ucontext_t *)argument;
  uintptr_t place = placeOf(context);
  int i = 0;
  while (i < count - 1 && signals[i] != signal) i++;
  const Guarded *guarded = __atomic_load_n(&all, __ATOMIC_ACQUIRE);
  while (guarded && (place < guarded->begin || place >= guarded->end)) guarded = guarded->next;
  if (guarded) say(names[i], guarded->text);
  if (!guarded && (before[i].sa_flags & SA_SIGINFO)) return before[i].sa_sigaction(signal, info, argument);
  if (!guarded && before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN)
    return before[i].sa_handler(signal);
  // The instruction fails again, and the process ends as without the handler. A sent signal must be raised again.
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  if (info->si_code <= 0) raise(signal);
}

void install() {
  // An exhausted stack has no room for the handler's frame.
  stack_t own;
  if (sigaltstack(nullptr, &own) == 0 && (own.ss_flags & SS_DISABLE)) {
    own.ss_size = 65536;
    own.ss_sp = malloc(own.ss_size);
    own.ss_flags = 0;
    if (own.ss_sp) sigaltstack(&own, nullptr);
  }
  struct sigaction ours = {};
  ours.sa_sigaction = handle;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int i = 0; i < count; i++) sigaction(signals[i], &ours, &before[i]);
  installed = true;
}

}  // namespace

// Guards the shared object of a kernel; `text` describes it. Without a text, removes the guard.
extern "C" void jitlab_guard(uintptr_t kernel, const char *text) {
  if (!installed) install();
  if (text) {
    Guarded *guarded = (Guarded *)calloc(1, sizeof(Guarded));
    if (!guarded) return;
    guarded->kernel = kernel;
    guarded->text = strdup(text);
    guarded->next = all;
    if (!guarded->text || !dl_iterate_phdr(find, guarded)) {
      free(guarded->text);
      free(guarded);
      return;
    }
    __atomic_store_n(&all, guarded, __ATOMIC_RELEASE);
    return;
  }
  for (Guarded **link = &all; *link; link = &(*link)->next) {
    Guarded *guarded = *link;
    if (guarded->kernel != kernel) continue;
    *link = guarded->next;
    free(guarded->text);
    free(guarded);
    return;
  }
}
