// Words of PyTorch, NumPy, IPython and shells, each with the line that says how it is done here.
/** How a tensor is converted to a dtype. */
export const cast = (dtype: string) => `Convert with x.to("${dtype}").`;
const unknown =
  "jl.jit and %%kernel make elementwise functions, jl.reduction and %%reduction reductions, jl.rawKernel and %%cuda any CUDA kernel.";

/** The advice for code that asks for gradients. */
export const gradients = "jitlab computes no gradients: leave it out, or use PyTorch or JAX for this part.";
const array =
  "x.toArray() gives nested arrays, whose methods these are; jl.jit((v) => 2 * v)(x) computes each element on the device.";

const linear =
  "jitlab has products (x.matmul(y), jl.einsum), norms and jl.cdist, but no decompositions: use NumPy or PyTorch for this part.";
const picture = 'Pictures are functions: import { image } from "jitlab/plot"; image(x).';
const making = "jl.tensor([1, 2, 3]) makes a tensor.";

/** Members of tensors and of the library that other libraries have. */
export const members: Readonly<Record<string, string>> = {
  type: cast("float64"),
  astype: cast("float64"),
  numpy: "x.data() is a typed array, x.toArray() nested arrays.",
  from_numpy: 'jl.load("x.npy") reads a file of NumPy; jl.tensor([1, 2, 3]) takes arrays and typed arrays.',
  values: "x.max(1, { indices: true }) gives { values, indices }; without it the values alone.",
  element_size: "x.dtype.bytes is the size of an element.",
  itemsize: "x.dtype.bytes is the size of an element.",
  is_cuda: "x.device.name is the name of its device.",
  plot: 'Plots are functions: import { line } from "jitlab/plot"; line(x).',
  show: picture,
  imshow: picture,
  image: picture,
  display: "console.log(x) prints; the value of a cell's last line shows itself.",
  print: "console.log(x) prints; the value of a cell's last line shows itself.",
  map: array,
  forEach: array,
  filter: array,
  every: array,
  some: array,
  reduce: array,
  array: making,
  asarray: making,
  as_tensor: making,
  copy: "x.clone() copies.",
  nbytes: "x.size * x.dtype.bytes is the size of all elements.",
  rolling: "x.unfold(0, 20, 1) has the windows of 20 elements: x.unfold(0, 20, 1).mean(-1).",
  percentile: "x.quantile(0.05) is the 5th percentile.",
  seed: "jl.manualSeed(1) starts the sequence of random numbers.",
  manual_seed: "jl.manualSeed(1) starts the sequence of random numbers.",
  uniform: "jl.rand([3]) is uniform from 0 to 1.",
  choice: "jl.randint(0, n, [3]) draws indexes with repetition, jl.randperm(n) without.",
  oneHot: "x.unsqueeze(-1).eq(jl.arange(n)) compares each element with each class.",
  nan: "It is called NaN here.",
  inf: "It is called Infinity here.",
  pi: "It is called Math.PI here.",
  newaxis: 'x.unsqueeze(0) and x.slice("None, :") add a dimension.',
  backward: gradients,
  grad: gradients,
  requires_grad: gradients,
  requires_grad_: gradients,
  detach: gradients,
  no_grad: gradients,
  autograd: gradients,
  length: "The first extent is x.shape[0], the number of elements x.size.",
  cuda: 'jl.setDevice("cuda") picks the device, jl.devices() lists them, jl.synchronize() waits.',
  set_default_dtype: 'A dtype is given where a tensor is made: jl.zeros([3], { dtype: "float64" }).',
  random: "jl.rand, jl.randn, jl.randint and jl.normal make random tensors.",
  nn: "The functions are jl's own, such as jl.gelu(x) and x.softmax(-1); jitlab has no layers.",
  F: "The functions are jl's own, such as jl.gelu(x) and x.softmax(-1); jitlab has no layers.",
  data_ptr: "Raw kernels take tensors themselves: jl.rawKernel, %%cuda.",
  H: "x.mT.conj() is the conjugate transpose.",
  kernel: unknown,
  jiterator: unknown,
  ElementwiseKernel: unknown,
  ReductionKernel: unknown,
  RawKernel: unknown,
  fft: unknown,
  conv2d:
    "x.unfold(0, 3, 1).unfold(1, 3, 1) has the windows of 3 by 3: .mul(weights).sum([-2, -1]) convolves.",
  inv: linear,
  inverse: linear,
  pinv: linear,
  det: linear,
  svd: linear,
  qr: linear,
  eig: linear,
  eigh: linear,
  cholesky: linear,
  solve: linear,
  lstsq: linear,
  linalg: linear,
};

const waiting =
  "await new Promise((done) => setTimeout(done, 1000)) waits for a second; %time and %timeit measure.";
const shell = "!COMMAND runs a command of the shell, such as !ls.";
const installing = "%npm install NAME installs a package.";
const ending = "The front end ends the kernel: Shut Down in its menu, Ctrl-D in a console.";

/** Names that exist in Python. */
export const names: Readonly<Record<string, string>> = {
  jl: 'The library is there after import * as jl from "jitlab".',
  torch: 'The library is there after import * as jl from "jitlab": jl.zeros([2, 3]), x.add(y).',
  np: 'The library is there after import * as jl from "jitlab": jl.arange(10), x.add(y).',
  print: "console.log(x) prints; the value of a cell's last line shows itself.",
  len: "The first extent is x.shape[0]; an array has .length.",
  range: "for (let i = 0; i < 10; i++) counts; jl.arange(10) is a tensor.",
  type: "typeof x is the kind of a value; a tensor has x.dtype and x.shape.",
  help: "x? and %help NAME show help.",
  dir: "%who lists the variables; Tab behind a dot lists what a value has.",
  input: 'prompt("name? ") asks for a line.',
  sleep: waiting,
  time: waiting,
  ls: shell,
  cat: shell,
  mkdir: shell,
  pip: installing,
  npm: installing,
  cd: "%cd FOLDER changes the folder.",
  pwd: "%pwd shows the folder.",
  exit: ending,
  quit: ending,
  Tensor: "The type is jl.Tensor; jl.tensor([1, 2, 3]) makes one.",
  None: "It is called null here.",
  True: "It is called true here.",
  False: "It is called false here.",
};

/** The options of NumPy, and how they are written here. */
export const options: Readonly<Record<string, string>> = {
  axis: "dim: x.sum({ dim: 0 })",
  axes: "dim: x.sum({ dim: [0, 1] })",
  dims: "dim: x.sum({ dim: [0, 1] })",
  keepdims: "keepdim: x.sum({ dim: 0, keepdim: true })",
  ddof: "correction: x.std({ correction: 0 })",
};
