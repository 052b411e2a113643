// Products of a batch by a BLAS as a kernel: each position is one product, on one thread. See blas.ts.
#include <stdint.h>

namespace {

struct Product {
  int64_t gemm;  // the address of cblas_?gemm
  char *out;
  const char *left, *right;
  int64_t outStep, leftStep, rightStep;  // bytes between the matrices of a batch
  int64_t leftWord, rightWord;           // CblasNoTrans or CblasTrans
  int64_t rows, columns, inner, leftLeading, rightLeading;
};

const int rowMajor = 101;  // CblasRowMajor
const float complexOne[] = {1, 0};
const double complexDoubleOne[] = {1, 0};
const double complexZero[] = {0, 0};

template <typename Int, typename Scalar>
void multiply(const void *args, int64_t begin, int64_t end, Scalar one, Scalar zero) {
  using Gemm = void (*)(int, int, int, Int, Int, Int, Scalar, const void *, Int, const void *, Int, Scalar, void *, Int);
  const Product &p = *(const Product *)args;
  for (int64_t i = begin; i < end; i++)
    ((Gemm)p.gemm)(rowMajor, (int)p.leftWord, (int)p.rightWord, (Int)p.rows, (Int)p.columns, (Int)p.inner, one, p.left + i * p.leftStep,
                   (Int)p.leftLeading, p.right + i * p.rightStep, (Int)p.rightLeading, zero, p.out + i * p.outStep, (Int)p.columns);
}

}  // namespace

#define PRODUCTS(name, Int)                                                                        \
  extern "C" void jitlab_s_##name(const void *args, long long begin, long long end) {              \
    multiply<Int, float>(args, begin, end, 1, 0);                                                  \
  }                                                                                                \
  extern "C" void jitlab_d_##name(const void *args, long long begin, long long end) {              \
    multiply<Int, double>(args, begin, end, 1, 0);                                                 \
  }                                                                                                \
  extern "C" void jitlab_c_##name(const void *args, long long begin, long long end) {              \
    multiply<Int, const void *>(args, begin, end, complexOne, complexZero);                        \
  }                                                                                                \
  extern "C" void jitlab_z_##name(const void *args, long long begin, long long end) {              \
    multiply<Int, const void *>(args, begin, end, complexDoubleOne, complexZero);                  \
  }

PRODUCTS(int, int)
PRODUCTS(int64_t, int64_t)
