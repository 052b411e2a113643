// Spreads one launch over the processor's cores. Compiled, cached and opened like a kernel; see device.ts.
//
// A launch first runs a few elements on the calling thread and times them. It becomes a job only if the rest takes longer
// than waking the others. Every thread has its own range of chunks, then takes chunks of other ranges. A thread gets the
// same range each time, so that its cache is warm.
#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace {

using Kernel = void (*)(const void *, long long, long long);

const long long parallelFrom = 30000;  // nanoseconds of remaining work that make other threads worth waking
const long long watchedFrom = 8000;    // the same where a thread watches for the next job
const long long chunkTime = 15000;     // target nanoseconds per chunk
const long long spinTime = 20000;      // nanoseconds that an idle thread watches for the next job before it sleeps
const long long mostChunks = 256;      // chunks of one thread, more than balance needs, however slow the probes were
const int maxThreads = 256;

struct alignas(128) Range {
  long long next;  // taken by fetch-and-add, so it may pass `end`
  long long end;
};

struct {
  Kernel kernel;
  const void *args;
  long long chunk;
  int threads;
  Range ranges[maxThreads];
} job;

pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;  // held by the launch that owns the pool
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;       // guards what follows
pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
long long generation = 0;
bool accepting = false;
int inside = 0;
int watching = 0;
int started = 1;

long long now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void work(int thread) {
  for (int i = 0; i < job.threads; i++) {
    Range &range = job.ranges[(thread + i) % job.threads];
    while (__atomic_load_n(&range.next, __ATOMIC_RELAXED) < range.end) {
      long long begin = __atomic_fetch_add(&range.next, job.chunk, __ATOMIC_RELAXED);
      if (begin >= range.end) break;
      long long end = begin + job.chunk < range.end ? begin + job.chunk : range.end;
      job.kernel(job.args, begin, end);
    }
  }
}

void *serve(void *argument) {
  int thread = (int)(long)argument;
  long long seen = 0;
  for (;;) {
    long long until = now() + spinTime;
    __atomic_fetch_add(&watching, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&generation, __ATOMIC_ACQUIRE) == seen && now() < until) pause();
    __atomic_fetch_sub(&watching, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&lock);
    while (generation == seen) pthread_cond_wait(&posted, &lock);
    seen = generation;
    bool enter = accepting && thread < job.threads;
    if (enter) __atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    if (!enter) continue;
    work(thread);
    pthread_mutex_lock(&lock);
    if (__atomic_sub_fetch(&inside, 1, __ATOMIC_RELEASE) == 0) pthread_cond_signal(&finished);
    pthread_mutex_unlock(&lock);
  }
}

void start(int threads) {
  // Signals belong to Node's main thread, except those of a kernel's faults (faults.cpp).
  sigset_t all, before;
  sigfillset(&all);
  const int faults[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL};
  for (int fault : faults) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (started < threads) {
    pthread_t id;
    if (pthread_create(&id, nullptr, serve, (void *)(long)started) != 0) break;
    pthread_detach(id);
    started++;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void share(Kernel kernel, const void *args, long long begin, long long count, long long estimate, long long unit, int threads) {
  long long perChunk = (long long)((double)(count - begin) * chunkTime / (double)estimate);
  long long fair = (count - begin) / threads;
  long long least = fair / mostChunks;
  if (perChunk > fair) perChunk = fair;
  if (perChunk < least) perChunk = least;
  if (perChunk >= 256) perChunk &= ~63LL;  // keeps chunks on cache lines
  long long chunk = perChunk / unit * unit;
  if (chunk < unit) chunk = unit;
  job.kernel = kernel;
  job.args = args;
  job.chunk = chunk;
  job.threads = threads;
  long long chunks = (count - begin + chunk - 1) / chunk;
  for (int i = 0; i < threads; i++) {
    long long to = begin + chunks * (i + 1) / threads * chunk;
    job.ranges[i].next = begin + chunks * i / threads * chunk;
    job.ranges[i].end = to < count ? to : count;
  }
  pthread_mutex_lock(&lock);
  accepting = true;
  __atomic_store_n(&generation, generation + 1, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&posted);
  pthread_mutex_unlock(&lock);
  work(0);
  pthread_mutex_lock(&lock);
  accepting = false;
  pthread_mutex_unlock(&lock);
  long long until = now() + spinTime;
  while (__atomic_load_n(&inside, __ATOMIC_ACQUIRE) != 0 && now() < until) pause();
  pthread_mutex_lock(&lock);
  while (inside != 0) pthread_cond_wait(&finished, &lock);
  pthread_mutex_unlock(&lock);
}

void divide(Kernel kernel, const void *args, long long begin, long long count, long long estimate, long long unit, int threads) {
  long long least = __atomic_load_n(&watching, __ATOMIC_RELAXED) > 0 ? watchedFrom : parallelFrom;
  bool parallel = threads > 1 && estimate >= least && pthread_mutex_trylock(&launching) == 0;
  if (!parallel) return kernel(args, begin, count);
  if (threads > maxThreads) threads = maxThreads;
  start(threads);
  share(kernel, args, begin, count, estimate, unit, threads < started ? threads : started);
  pthread_mutex_unlock(&launching);
}

}  // namespace

// Runs kernel(args, 0, count) in pieces that start at multiples of `unit`, on up to `threads` threads.
extern "C" void jitlab_launch(Kernel kernel, const void *args, long long count, long long unit, int threads) {
  long long done = 0;
  long long estimate = 0;
  if (threads > 1) {
    // A heavy functor shows in the first probe; a light one needs the last, because of the clock's noise. A slow first probe
    // may include a page fault or a cold cache, so it is repeated.
    const long long probes[] = {64, 64, 4096};
    for (int i = 0; i < 3 && done < count; i++) {
      bool slow = estimate >= parallelFrom;
      if (i > 0 && slow != (i == 1)) continue;
      long long end = done + (probes[i] + unit - 1) / unit * unit;
      if (end > count) end = count;
      long long from = now();
      kernel(args, done, end);
      long long spent = now() - from;
      estimate = spent < 1000 && i < 2 ? 0 : (long long)((double)spent / (double)(end - done) * (double)(count - end));
      done = end;
    }
  }
  if (done < count) divide(kernel, args, done, count, estimate, unit, threads);
}

// Runs kernel(args, 0, count) in pieces, on up to `threads` threads, where all take about `estimate` nanoseconds.
extern "C" void jitlab_divide(Kernel kernel, const void *args, long long count, long long estimate, int threads) {
  divide(kernel, args, 0, count, estimate, 1, threads);
}
