// What a user's functor does wrong on the processor. Compiled, cached and opened like a kernel; see faults.ts beside it.
//
// A division that the processor refuses gets the library's result: 0 for a quotient or a remainder by zero, and a quotient
// that wraps. Any other fault in a guarded kernel is written to stderr, and then ends the process as it would have.
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

// In one piece, so that whoever reads it sees it whole.
void say(const char *name, const char *text) {
  const char *parts[] = {"jitlab: ", name, " in ", text};
  iovec pieces[4];
  for (int i = 0; i < 4; i++) pieces[i] = {(void *)parts[i], strlen(parts[i])};
  if (writev(2, pieces, 4) < 0) return;
}

#if defined(__x86_64__)
// The order in which instructions number the registers.
const int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                     REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

// Steps over a division that was refused; false where the instruction is another one.
bool divide(greg_t *registers) {
  const uint8_t *at = (const uint8_t *)registers[REG_RIP];
  bool half = *at == 0x66;
  if (half) at++;
  uint8_t rex = (*at & 0xf0) == 0x40 ? *at++ : 0;
  uint8_t opcode = *at++;
  uint8_t modrm = *at++;
  int operation = modrm >> 3 & 7;
  if ((opcode != 0xf6 && opcode != 0xf7) || operation < 6) return false;
  int bits = opcode == 0xf6 ? 8 : rex & 8 ? 64 : half ? 16 : 32;
  uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  int mode = modrm >> 6;
  int base = modrm & 7;
  uint64_t divisor;
  if (mode == 3) {
    bool high = bits == 8 && rex == 0 && base >= 4;  // ah, ch, dh, bh
    uint64_t value = (uint64_t)registers[order[high ? base - 4 : base + (rex & 1) * 8]];
    divisor = high ? value >> 8 : value;
  } else {
    uint64_t address = 0;
    bool based = true;
    if (base == 4) {
      uint8_t sib = *at++;
      int index = (sib >> 3 & 7) + (rex >> 1 & 1) * 8;
      if (index != 4) address += (uint64_t)registers[order[index]] << (sib >> 6);
      base = sib & 7;
      based = mode != 0 || base != 5;
      if (!based) {
        address += (uint64_t)(int64_t) * (const int32_t *)at;
        at += 4;
      }
    } else if (mode == 0 && base == 5) {
      at += 4;
      address = (uint64_t)at + (uint64_t)(int64_t) * (const int32_t *)(at - 4);
      based = false;
    }
    if (based) address += (uint64_t)registers[order[base + (rex & 1) * 8]];
    if (mode == 1) address += (uint64_t)(int64_t) * (const int8_t *)at++;
    if (mode == 2) {
      address += (uint64_t)(int64_t) * (const int32_t *)at;
      at += 4;
    }
    memcpy(&divisor, (const void *)address, (size_t)bits / 8);
  }
  bool zero = (divisor & mask) == 0;
  // What else is refused is the least integer divided by -1.
  uint64_t quotient = zero ? 0 : 0 - (uint64_t)registers[REG_RAX];
  uint64_t keep = bits >= 32 ? 0 : ~mask;
  if (bits == 8) {
    registers[REG_RAX] = (greg_t)(((uint64_t)registers[REG_RAX] & ~0xffffull) | (quotient & 0xff));
  } else {
    registers[REG_RAX] = (greg_t)(((uint64_t)registers[REG_RAX] & keep) | (quotient & mask));
    registers[REG_RDX] = (greg_t)((uint64_t)registers[REG_RDX] & keep);
  }
  registers[REG_RIP] = (greg_t)at;
  return true;
}
#endif

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
  if (guarded) {
#if defined(__x86_64__)
    if (signal == SIGFPE && info->si_code == FPE_INTDIV && divide(context->uc_mcontext.gregs)) return;
#endif
    say(names[i], guarded->text);
  }
  if (!guarded && (before[i].sa_flags & SA_SIGINFO)) return before[i].sa_sigaction(signal, info, argument);
  if (!guarded && before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN)
    return before[i].sa_handler(signal);
  // The instruction fails again, and the process ends as it would have. A signal that was sent comes but once.
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  if (info->si_code <= 0) raise(signal);
}

void install() {
  // A stack that is used up cannot hold the handler's frame.
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

// Guards the object that holds a kernel; `text` says what is in it. Without a text, it is guarded no more.
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
