// Convolutions of images without copies of windows, and their two gradients, as kernels of the pool; see convolutions.ts. A copy
// of the images with margins of zeros is all that they need. Every sum is that of one thread, in an order of its own.
#include <stdint.h>
#include <string.h>

// A product that is added is rounded once.
#if defined(__clang__)
#pragma clang fp contract(fast)
#define JITLAB_UNROLL _Pragma("unroll")
#else
#pragma GCC optimize("fp-contract=fast")
#define JITLAB_UNROLL _Pragma("GCC unroll 8")
#endif

namespace {

struct Convolution {
  char *out;
  const char *images, *other;  // for a weight's gradient the other is the output's, else the weight
  char *work;
  int64_t batch, channels, outer;  // channels of the images, and of the output
  int64_t rows, columns;           // of the images
  int64_t outRows, outColumns;
  int64_t windowRows, windowColumns;
  int64_t apartRows, apartColumns;    // dilation
  int64_t marginRows, marginColumns;  // padding
  int64_t isTurned;                   // the weight is mirrored, and its first two dimensions swapped

  int64_t wideRows() const { return rows + 2 * marginRows; }
  int64_t wideColumns() const { return columns + 2 * marginColumns; }
  int64_t plane() const { return wideRows() * wideColumns(); }
  int64_t taps() const { return windowRows * windowColumns; }
};

const int together = 4;  // channels of the output
const int vectors = 3;   // of an output's row, for each of these channels
const int mostTaps = 64;
const int most = 3;  // adjacent elements of a window that are computed together

template <int value> struct Count {
  constexpr operator int() const { return value; }
};
template <bool value> struct Bool {
  constexpr operator bool() const { return value; }
};
typedef Bool<true> Yes;
typedef Bool<false> No;

template <typename T> struct Word { typedef int32_t type; };
template <> struct Word<double> { typedef int64_t type; };

template <typename T> struct Registers {
  typedef T Vector __attribute__((vector_size(32)));
  typedef T Loose __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
  typedef typename Word<T>::type Mask __attribute__((vector_size(32)));
  static const int lanes = 32 / sizeof(T);
  static Vector load(const T *from) { return *(const Loose *)from; }
  // The first elements, and zeros.
  static Vector load(const T *from, Mask mask) { return (Vector)((Mask)load(from) & mask); }
  static Mask first(int64_t count) {
    Mask mask = {};
    for (int lane = 0; lane < lanes; lane++) mask[lane] = lane < count ? -1 : 0;
    return mask;
  }
};

// The images with margins, then the weight in blocks of channels.
template <typename T> T *imagesOf(const Convolution &c) { return (T *)c.work; }
template <typename T> T *weightOf(const Convolution &c) {
  // A row's last vector may end behind the last image.
  return imagesOf<T>(c) + c.batch * c.channels * c.plane() + Registers<T>::lanes;
}

// Positions: the planes of the images, then the blocks of the weight.
template <typename T> void prepare(const Convolution &c, int64_t begin, int64_t end) {
  const int64_t planes = c.batch * c.channels, across = c.wideColumns();
  for (int64_t at = begin; at < end; at++) {
    if (at < planes) {
      const T *from = (const T *)c.images + at * c.rows * c.columns;
      T *to = imagesOf<T>(c) + at * c.plane();
      memset(to, 0, c.plane() * sizeof(T));
      to += c.marginRows * across + c.marginColumns;
      for (int64_t row = 0; row < c.rows; row++) memcpy(to + row * across, from + row * c.columns, c.columns * sizeof(T));
      if (at == planes - 1) memset(imagesOf<T>(c) + planes * c.plane(), 0, 32);
      continue;
    }
    const int64_t first = (at - planes) * together, taps = c.taps();
    T *to = weightOf<T>(c) + first * c.channels * taps;
    for (int64_t channel = 0; channel < c.channels; channel++)
      for (int64_t tap = 0; tap < taps; tap++)
        for (int64_t o = first; o < first + together; o++) {
          const int64_t from = c.isTurned ? (channel * c.outer + o) * taps + taps - 1 - tap : (o * c.channels + channel) * taps + tap;
          *to++ = o < c.outer ? ((const T *)c.other)[from] : T(0);
        }
  }
}

// The accumulators have their own function and unrolled loops: only then are they registers.
template <typename T>
void addUp(typename Registers<T>::Vector (*to)[vectors], const T *const *from, const T *weight, const int64_t *offsets, int64_t channels,
           int64_t taps, int64_t plane) {
  typedef Registers<T> R;
  typedef typename R::Vector Vector;
  Vector sum[together][vectors] = {};
  const T *a = from[0], *b = from[1], *d = from[2];
  for (int64_t channel = 0; channel < channels; channel++, a += plane, b += plane, d += plane)
    for (int64_t tap = 0; tap < taps; tap++, weight += together) {
      const int64_t offset = offsets[tap];
      const Vector x = R::load(a + offset), y = R::load(b + offset), z = R::load(d + offset);
      JITLAB_UNROLL
      for (int o = 0; o < together; o++) {
        const Vector w = weight[o] - Vector{};
        sum[o][0] += x * w;
        sum[o][1] += y * w;
        sum[o][2] += z * w;
      }
    }
  JITLAB_UNROLL
  for (int o = 0; o < together; o++) {
    JITLAB_UNROLL
    for (int v = 0; v < vectors; v++) to[o][v] = sum[o][v];
  }
}

// Positions: `vectors` vectors of an image's output, of all its channels.
template <typename T> void convolve(const Convolution &c, int64_t begin, int64_t end) {
  typedef Registers<T> R;
  typedef typename R::Vector Vector;
  const int64_t across = c.wideColumns(), taps = c.taps(), plane = c.plane(), size = c.outRows * c.outColumns;
  const int64_t inRow = (c.outColumns + R::lanes - 1) / R::lanes, all = c.outRows * inRow;
  const int64_t inImage = (all + vectors - 1) / vectors;
  int64_t offsets[mostTaps];
  for (int64_t tap = 0; tap < taps; tap++)
    offsets[tap] = tap / c.windowColumns * c.apartRows * across + tap % c.windowColumns * c.apartColumns;
  for (int64_t at = begin; at < end; at++) {
    const T *image = imagesOf<T>(c) + at / inImage * c.channels * plane;
    T *out = (T *)c.out + at / inImage * c.outer * size;
    const T *from[vectors];
    int64_t to[vectors];
    int count[vectors];
    for (int v = 0; v < vectors; v++) {
      // The last position repeats its last vector.
      int64_t one = at % inImage * vectors + v;
      if (one >= all) one = all - 1;
      const int64_t row = one / inRow, column = one % inRow * R::lanes;
      from[v] = image + row * across + column;
      to[v] = row * c.outColumns + column;
      count[v] = c.outColumns - column < R::lanes ? int(c.outColumns - column) : R::lanes;
    }
    const T *weight = weightOf<T>(c);
    for (int64_t first = 0; first < c.outer; first += together, weight += together * c.channels * taps) {
      Vector sum[together][vectors];
      addUp<T>(sum, from, weight, offsets, c.channels, taps, plane);
      for (int o = 0; o < together && first + o < c.outer; o++)
        for (int v = 0; v < vectors; v++) {
          T *place = out + (first + o) * size + to[v];
          if (count[v] == R::lanes) *(typename R::Loose *)place = sum[o][v];
          else memcpy(place, &sum[o][v], count[v] * sizeof(T));
        }
    }
  }
}

template <typename T> T total(typename Registers<T>::Vector v) {
  T sum[Registers<T>::lanes];
  memcpy(sum, &v, sizeof sum);
  for (int half = Registers<T>::lanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; lane++) sum[lane] += sum[lane + half];
  return sum[0];
}

// Adds up the products of some rows of an output's images, and of the rows of an image that adjacent elements of a window see. The
// last vectors of rows that are no whole number of vectors are a call of their own.
template <typename T, int count, bool isPart>
void addRows(typename Registers<T>::Vector (*to)[most], const T *g, const T *gEnd, int64_t gPlane, int64_t gRow, const T *image, int64_t across,
             int64_t apart, int64_t rows, int64_t length) {
  typedef Registers<T> R;
  typedef typename R::Vector Vector;
  const typename R::Mask mask = R::first(length);
  Vector sum[together][count];
  JITLAB_UNROLL
  for (int o = 0; o < together; o++) {
    JITLAB_UNROLL
    for (int k = 0; k < count; k++) sum[o][k] = to[o][k];
  }
  for (int64_t row = 0; row < rows; row++, image += across, g += gRow)
    for (int64_t column = 0; column < length; column += R::lanes) {
      Vector x[count];
      JITLAB_UNROLL
      for (int k = 0; k < count; k++) {
        const T *at = image + column + k * apart;
        x[k] = isPart ? R::load(at, mask) : R::load(at);
      }
      JITLAB_UNROLL
      for (int o = 0; o < together; o++) {
        const T *at = g + o * gPlane + column;
        Vector y;
        if (!isPart) y = R::load(at);
        else if (at + R::lanes <= gEnd) y = R::load(at, mask);
        else {
          T part[R::lanes] = {};
          memcpy(part, at, length * sizeof(T));
          y = R::load(part);
        }
        JITLAB_UNROLL
        for (int k = 0; k < count; k++) sum[o][k] += x[k] * y;
      }
    }
  JITLAB_UNROLL
  for (int o = 0; o < together; o++) {
    JITLAB_UNROLL
    for (int k = 0; k < count; k++) to[o][k] = sum[o][k];
  }
}

// A window's elements for `together` channels of the output and one of the images.
template <typename T> void correlateOne(const Convolution &c, int64_t first, int64_t channel) {
  typedef Registers<T> R;
  const int64_t across = c.wideColumns(), size = c.outRows * c.outColumns;
  const int64_t whole = c.outColumns / R::lanes * R::lanes, rest = c.outColumns - whole;
  // So many rows stay in the nearest cache while all of a window's elements see them.
  const int64_t fitting = 16384 / int64_t(sizeof(T) * together) / c.outColumns, block = fitting < 1 ? 1 : fitting;
  // The last block begins earlier, and repeats channels of the one before.
  const int64_t begin = first + together < c.outer ? first : c.outer - together;
  const T *gs = (const T *)c.other, *gEnd = gs + c.batch * c.outer * size;
  const int64_t inRow = (c.windowColumns + most - 1) / most;
  typename R::Vector sums[mostTaps][together][most];
  memset(sums, 0, c.windowRows * inRow * sizeof sums[0]);
  for (int64_t n = 0; n < c.batch; n++)
    for (int64_t row = 0; row < c.outRows; row += block) {
      const int64_t rows = c.outRows - row < block ? c.outRows - row : block;
      const T *g = gs + (n * c.outer + begin) * size + row * c.outColumns;
      const T *image = imagesOf<T>(c) + (n * c.channels + channel) * c.plane() + row * across;
      auto add = [&](auto part, auto count, auto &sum, int64_t offset, int64_t length) {
        const T *from = g + (part ? whole : 0), *seen = image + offset + (part ? whole : 0);
        addRows<T, count, part>(sum, from, gEnd, size, c.outColumns, seen, across, c.apartColumns, rows, length);
      };
      for (int64_t i = 0; i < c.windowRows; i++)
        for (int64_t j = 0; j < inRow; j++) {
          auto &sum = sums[i * inRow + j];
          const int64_t offset = i * c.apartRows * across + j * most * c.apartColumns, left = c.windowColumns - j * most;
          auto addBoth = [&](auto count) {
            if (whole > 0) add(No(), count, sum, offset, whole);
            if (rest > 0) add(Yes(), count, sum, offset, rest);
          };
          if (left >= 3) addBoth(Count<3>());
          else if (left == 2) addBoth(Count<2>());
          else addBoth(Count<1>());
        }
    }
  for (int64_t o = first - begin; o < together; o++)
    for (int64_t tap = 0; tap < c.taps(); tap++) {
      const int64_t row = tap / c.windowColumns, column = tap % c.windowColumns;
      const auto &sum = sums[row * inRow + column / most][o][column % most];
      ((T *)c.out)[((begin + o) * c.channels + channel) * c.taps() + tap] = total<T>(sum);
    }
}

// Positions: blocks of channels of the output, of these the channels of the images.
template <typename T> void correlateAll(const Convolution &c, int64_t begin, int64_t end) {
  for (int64_t at = begin; at < end; at++) {
    const int64_t first = at / c.channels * together, channel = at % c.channels;
    correlateOne<T>(c, first, channel);
  }
}

}  // namespace

#define CONVOLUTIONS(name, T)                                                                      \
  extern "C" void jitlab_prepare_##name(const void *args, long long begin, long long end) {        \
    prepare<T>(*(const Convolution *)args, begin, end);                                            \
  }                                                                                                \
  extern "C" void jitlab_convolve_##name(const void *args, long long begin, long long end) {       \
    convolve<T>(*(const Convolution *)args, begin, end);                                           \
  }                                                                                                \
  extern "C" void jitlab_correlate_##name(const void *args, long long begin, long long end) {      \
    correlateAll<T>(*(const Convolution *)args, begin, end);                                       \
  }

CONVOLUTIONS(float32, float)
CONVOLUTIONS(float64, double)
