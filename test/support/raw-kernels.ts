// Raw kernels of the size of a tutorial, for the tests that compile them and those that run them.

/** The transpose of a matrix through tiles in shared memory, so that reads and writes both go along memory. */
export const transpose = `
template <typename T, int TILE>
__global__ void __launch_bounds__(TILE * 8) transpose(const T* __restrict__ in, T* __restrict__ out, int rows, int columns) {
  __shared__ T tile[TILE][TILE + 1];  // one extra column, so that a column's words are in different banks
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(long long)(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8)
    if (x < rows && y + j < columns) out[(long long)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
`;

/** A histogram: each block counts in its own shared memory, and adds that up once. */
export const histogram = `
extern "C" __global__ void histogram(const unsigned char* in, int* counts, size_t n, int bins) {
  extern __shared__ int own[];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) own[i] = 0;
  __syncthreads();
  size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&own[in[i] % bins], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) if (own[i] != 0) atomicAdd(&counts[i], own[i]);
}
`;

/** A stencil over a grid: each block loads its tile with the halo around it. The weights are constant memory. */
export const stencil = `
__constant__ float weights[9];

__global__ void stencil(const float* in, float* out, int height, int width) {
  const int tile = 16;
  __shared__ float cells[tile + 2][tile + 2];
  int left = blockIdx.x * tile - 1, top = blockIdx.y * tile - 1;
  int thread = threadIdx.y * tile + threadIdx.x;
  for (int i = thread; i < (tile + 2) * (tile + 2); i += tile * tile) {
    int x = left + i % (tile + 2), y = top + i / (tile + 2);
    bool inside = x >= 0 && x < width && y >= 0 && y < height;
    cells[i / (tile + 2)][i % (tile + 2)] = inside ? in[y * width + x] : 0;
  }
  __syncthreads();
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += weights[j * 3 + i] * cells[threadIdx.y + j][threadIdx.x + i];
  out[y * width + x] = sum;
}
`;

/** Two steps of all blocks, which wait for each other in between: right only where all of them run at the same time. */
export const together = `
__global__ void together(int* steps, volatile int* arrived, int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(steps, 1);
    __threadfence();
    atomicAdd((int*)arrived, 1);
    while (*arrived < int(gridDim.x)) {}
    out[blockIdx.x] = *(volatile int*)steps;
  }
}
`;

/** Every kind of parameter: its block has holes, a struct, and names of the user's own for a number and a pointer. */
export const parameters = `
struct Point { double x; int n; char tag[3]; };
typedef float real;
namespace shapes {
__global__ void parameters(bool yes, double* out, char letter, const Point point, unsigned short small, real factor,
                           long long large, const short* list, unsigned u) {
  out[0] = yes; out[1] = letter; out[2] = point.x; out[3] = point.n; out[4] = point.tag[2];
  out[5] = small; out[6] = factor; out[7] = large; out[8] = list[1]; out[9] = u;
}
}
`;

/** Reads where no memory is. */
export const wild = `
__global__ void wild(float* out, long long far) { out[0] = *(float*)(far + 4 * threadIdx.x); }
`;
