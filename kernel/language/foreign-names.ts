// Names of PyTorch, NumPy, JAX and other libraries, each with what to write here. A name that jitlab has elsewhere, such as
// `x.svd()`, needs no entry: the checker finds it. A test takes the code between backticks from each entry and checks its
// types, and fails for a name that the library has.

type Names = Readonly<Record<string, string>>;

// One text under several names, which are separated by spaces.
function named(...entries: readonly (readonly [names: string, text: string])[]): Names {
  return Object.fromEntries(entries.flatMap(([names, text]) => names.split(" ").map((name) => [name, text])));
}

/** How a tensor is converted to a dtype. */
export const cast = (dtype: string) => `Convert with \`x.to("${dtype}")\`.`;

const gradient =
  "Gradients are those of functions: `jl.grad(f)(x)`, or `jl.gradients(() => f(x), x)` for tensors that f reads from the cells.";
const noMarks =
  "Tensors need no mark for gradients: `jl.grad(f)(x)` differentiates f by its argument, `jl.gradients(() => f(x), x)` by any tensor.";
const constant = "`jl.stopGradient(x)` is x as a constant, without its gradient.";
const noTape =
  "Only functions under jl.grad are differentiated, so leave it out; inside of one, `jl.stopGradient(() => f(x))` computes a constant.";
const ownGradient =
  "`jl.customVjp(f, (g) => [g])` is a function with a gradient of your own; `jl.vjp(f, x)` computes with cotangents.";
const array =
  "`x.toArray()` gives nested arrays, whose methods these are; `jl.jit((v) => 2 * v)(x)` computes each element on the device.";
const typed = "`x.data()` is a typed array, `x.toArray()` nested arrays.";
const picture = 'Pictures are functions: `import { image } from "jitlab/plot"; image(x)`.';
const printing = "`console.log(x)` prints; the value of a cell's last line shows itself.";
const making = "`jl.tensor([1, 2, 3])` makes a tensor.";
const seed = "`jl.manualSeed(1)` starts the sequence of random numbers.";
const bytes = "`x.size * x.dtype.bytes` is the size of all elements.";
const itemBytes = "`x.dtype.bytes` is the size of an element.";
const windows = "`x.unfold(0, 20, 1)` has the windows of 20 elements: `x.unfold(0, 20, 1).mean(-1)`.";
const moving = '`x.to("cuda")` copies to a device, `jl.setDevice("cuda")` picks the one of new tensors.';
const layers = "The functions are jl's own, such as `jl.gelu(x)` and `x.softmax(-1)`; jitlab has no layers.";
const recurrent =
  "jitlab has no such layer: write its step with `x.matmul(y)` and `x.tanh()`, and a loop over the steps in `jl.compile(f)`.";
const loader =
  "`jl.batches([x, y], 32, { shuffle: true })` gives the batches of a dataset, an array or object of tensors: each loop over it is a pass.";
const files =
  'jitlab reads CSV, Parquet, NumPy, safetensors and Arrow: `jl.readCsv("t.csv")`, `await jl.readParquet("t.parquet")`, `jl.load("x.npy")`, `jl.fromArrow(table)`.';
const imageFiles =
  '`jl.readImage("photo.png")` reads a PNG or a JPEG file, `jl.writeImage("copy.png", x)` writes one.';
const loops =
  "Write the loop in TypeScript: `jl.compile(f)` compiles what it does. `jl.scan((sum, row) => [sum.add(row)], x.select(0, 0), x)` and `jl.whileLoop((y) => y.sum().lt(9), (y) => y.mul(3), x, { most: 100 })` hand on a carry; `x.cumsum(0)`, `x.cumprod(0)` and `x.logcumsumexp(0)` are scans of elements.";
const conditional =
  "`jl.linalg.cond(x)` is the condition number of a matrix; `mask.where(x, y)` chooses by elements; for one value there is `x.sum().gt(0).item() ? f(x) : f(y)`.";
const lax =
  "Its functions are jl's own: `jl.scan((sum, row) => [sum.add(row)], x.select(0, 0), x)`, jl.whileLoop, jl.stopGradient; " +
  "`mask.where(x, y)` chooses by elements.";
const oneGpu = 'A tensor is on one device: `jl.setDevice("cuda:0")` picks it.';
const bce =
  "It is `jl.xlogy(y, x).add(jl.xlogy(jl.sub(1, y), jl.sub(1, x))).neg().mean()` of probabilities x.";
const bceWithLogits = "`jl.bceWithLogits(x, y)` is the mean of the losses of logits x and targets y.";
const kernels =
  "jl.jit and %%kernel make elementwise functions, jl.reduction and %%reduction reductions, jl.rawKernel and %%cuda any CUDA kernel.";
const hermitian =
  "jitlab has the eigenvalues of symmetric matrices: `jl.linalg.eigh(x)`, `jl.linalg.eigvalsh(x)`; of others NumPy.";
/** How optimizers are written. */
export const optimizer =
  "jl.optim has adam, adamW, rmsprop and sgd: `jl.optim.adam({ lr: 1e-3 })`, whose init and step are pure functions.";
const schedule =
  "A learning rate may be a function of the step: `jl.optim.sgd({ lr: jl.optim.cosineLr(0.1, 1000, { warmup: 100 }) })`; constantLr and stepLr are others.";
const initial =
  "`jl.kaimingUniform([8, 4])`, `jl.kaimingNormal([8, 4])`, `jl.xavierUniform([8, 4])` and `jl.xavierNormal([8, 4])` make initial values.";
const checkpoints =
  '`jl.saveTree("run.safetensors", { x, y })` writes parameters, an optimizer\'s state, numbers and generators; `jl.loadTree("run.safetensors")` reads them.';
const sets =
  "`jl.cat([x.flatten(), y.flatten()]).unique()` is the union; `x.isin(y)` marks the common elements.";
const spelledMath = (name: string) => `It is called \`${name}\` here.`;

const shared = named(
  // Gradients.
  ["backward autograd GradientTape grad_fn zero_grad zeroGrad", gradient],
  ["requires_grad requires_grad_ requiresGrad requiresGrad_ retain_grad retainGrad is_leaf", noMarks],
  ["detach detach_ stop_gradient", constant],
  ["no_grad noGrad inference_mode inferenceMode enable_grad set_grad_enabled is_grad_enabled", noTape],
  ["register_hook registerHook custom_jvp customJvp custom_gradient customGradient", ownGradient],
  ["jacrev jacfwd", "`jl.jacobian(f)(x)` is the Jacobian."],
  // Dtypes and memory.
  ["type astype asType", cast("float64")],
  ["numpy asnumpy dataSync", typed],
  ["arraySync", "`x.toArray()` gives nested arrays."],
  ["element_size elementSize itemsize", itemBytes],
  ["nbytes", bytes],
  ["copy", "`x.clone()` copies."],
  ["data_ptr dataPtr from_dlpack to_dlpack", "Raw kernels take tensors themselves: jl.rawKernel, %%cuda."],
  ["is_cuda isCuda", "`x.device.name` is the name of its device."],
  ["share_memory_ pin_memory pinMemory", "Leave it out: jitlab's copies need no such memory."],
  ["device_put", moving],
  // Display.
  ["plot", 'Plots are functions: `import { line } from "jitlab/plot"; line(x)`.'],
  ["show imshow image", picture],
  ["display print", printing],
  // Arrays.
  ["map forEach filter every some reduce apply apply_ map_ apply_along_axis vectorize", array],
  ["length", "The first extent is `x.shape[0]`, the number of elements `x.size`."],
  ["percentile nanpercentile", "`x.quantile(0.05)` is the 5th percentile."],
  ["average", "`x.mul(y).sum().div(y.sum())` is a mean with weights."],
  ["ptp", "`x.max().sub(x.min())` is the range."],
  ["nanmax nanmin nanstd nanvar nanprod", "`x.maskedSelect(x.isnan().logicalNot())` are the other elements."],
  ["array_equal arrayEqual", "`x.equal(y)` is true for tensors with equal elements."],
  ["expand_dims expandDims", "`x.unsqueeze(0)` adds a dimension."],
  ["reverse", "`x.flip(0)` reverses a dimension."],
  ["append insert", "`jl.cat([x, y])` joins tensors; their extents stay."],
  ["resize resize_", "`x.reshape([2, -1])` keeps the elements, `x.pad([0, 1])` adds some."],
  ["as_strided asStrided sliding_window_view", '`x.unfold(0, 3, 1)` has windows, `x.slice("::2")` parts.'],
  ["rolling", windows],
  [
    "new_zeros new_ones new_full new_empty new_tensor",
    "`jl.zeros([2])` makes a tensor, `jl.zerosLike(x)` one like x.",
  ],
  ["tobytes toBytes", typed],
  ["digitize", "`jl.bucketize(x, edges)` finds the bin of each element."],
  [
    "convolve correlate",
    "`jl.conv1d(x.view([1, 1, -1]), y.view([1, 1, -1]))` correlates; flip y to convolve.",
  ],
  ["hsplit vsplit dsplit array_split arraySplit", "`x.tensorSplit(2, 0)` divides into parts."],
  ["partition argpartition", "`x.topk(2)` and `x.kthvalue(2)` find elements by their order."],
  ["in1d", "`x.isin(y)` marks the elements that y has."],
  ["union1d intersect1d setdiff1d", sets],
  ["ediff1d", "`x.diff()` has the differences."],
  ["vdot inner", "`jl.dot(x.flatten(), y.flatten())` is the inner product."],
  ["baddbmm", "`z.add(x.matmul(y))` is the same."],
  ["chain_matmul multi_dot", "`x.matmul(y).matmul(z)` multiplies from left to right."],
  ["masked_scatter maskedScatter", "`x.set([mask], y)` writes where a mask is true."],
  [
    "is_floating_point isFloatingPoint is_complex isComplex iscomplexobj",
    "`x.dtype.name` is the name of the dtype.",
  ],
  ["block_until_ready blockUntilReady", "`jl.synchronize()` waits for the device."],
  ["tidy", "Memory is freed when nothing refers to a tensor; `x.dispose()` frees it at once."],
  // Matrices.
  ["inverse", "`jl.linalg.inv(x)` is the inverse."],
  ["pinverse", "`jl.linalg.pinv(x)` is the pseudoinverse."],
  ["symeig", "`jl.linalg.eigh(x)` has eigenvalues and vectors."],
  ["eig eigvals", hermitian],
  ["logdet", "`jl.linalg.slogdet(x)` has the sign and the logarithm of the determinant."],
  ["triangular_solve", "`jl.linalg.solveTriangular(x, y, { upper: true })` solves it."],
  ["expm", "`jl.linalg.matrixExp(x)` is the exponential of a matrix."],
  // Functions of networks.
  [
    "kl_div klDiv KLDivLoss",
    "`y.mul(y.log().sub(x)).sum()` is the divergence for logarithms x of probabilities.",
  ],
  ["smooth_l1_loss smoothL1Loss SmoothL1Loss", "`jl.huberLoss(x, y)` is the same for beta = 1."],
  [
    "cosine_similarity cosineSimilarity",
    "`x.mul(y).sum(-1).div(x.norm(2, { dim: -1 }).mul(y.norm(2, { dim: -1 })))` is the cosine.",
  ],
  ["normalize", "`x.div(x.norm(2, { dim: -1, keepdim: true }))` has rows of length 1."],
  ["softmin", "`x.neg().softmax(-1)` is the same."],
  ["binary_cross_entropy binaryCrossEntropy bce bceLoss BCELoss", bce],
  [
    "binary_cross_entropy_with_logits binaryCrossEntropyWithLogits bce_with_logits bceWithLogitsLoss BCEWithLogitsLoss",
    bceWithLogits,
  ],
  ["adaptive_avg_pool2d adaptiveAvgPool2d", "`x.mean([-2, -1], { keepdim: true })` averages each picture."],
);

/** Names that tensors of other libraries have. */
export const tensorNames: Names = {
  ...shared,
  ...named(
    [
      "values indices",
      "`x.max(1, { indices: true })` gives { values, indices }; without it the values alone.",
    ],
    ["grad", gradient],
    ["H", "`x.mT.conj()` is the conjugate transpose."],
    ["fft", "`jl.fft.fft(x)` transforms."],
    ["is_contiguous", "`x.isContiguous` is true for elements in the order of memory."],
    ["get", typed],
    ["flat", "`x.flatten()` has one dimension."],
    ["fill", "`x.fill_(0)` writes a value to all elements."],
    [
      "toFixed toPrecision",
      "`x.item().toFixed(2)` is the text of one element; `jl.setPrintOptions({ precision: 2 })` sets how tensors print.",
    ],
    ["step", optimizer],
    ["state_dict stateDict", checkpoints],
    ["scatter_add_", "`x.scatterAdd_(0, indexes, y)` adds in place."],
  ),
};

/** Names that other libraries export. */
export const libraryNames: Names = {
  ...shared,
  ...named(
    [
      "from_numpy fromNumpy frombuffer",
      '`jl.load("x.npy")` reads a file of NumPy; `jl.tensor([1, 2, 3])` takes arrays and typed arrays.',
    ],
    [
      "array asarray as_tensor asTensor ndarray scalar variable Variable tensor1d tensor2d tensor3d tensor4d",
      making,
    ],
    ["is_tensor isTensor", "`x instanceof jl.Tensor` is true for a tensor."],
    ["seed manual_seed set_random_seed", seed],
    ["PRNGKey", seed],
    ["uniform randomUniform", "`jl.rand([3])` is uniform from 0 to 1."],
    ["randomNormal standard_normal", "`jl.randn([3])` has mean 0 and deviation 1."],
    ["choice", "`jl.randint(0, n, [3])` draws indexes with repetition, `jl.randperm(n)` without."],
    ["shuffle permutation", "`x.indexSelect(0, jl.randperm(x.shape[0]))` shuffles the rows."],
    ["random", "jl.rand, jl.randn, jl.randint and jl.normal make random tensors."],
    ["nan", spelledMath("NaN")],
    ["inf", spelledMath("Infinity")],
    ["pi", spelledMath("Math.PI")],
    ["e", spelledMath("Math.E")],
    ["newaxis", '`x.unsqueeze(0)` and `x.slice("None, :")` add a dimension.'],
    [
      "set_default_dtype set_default_tensor_type",
      'A dtype is given where a tensor is made: `jl.zeros([3], { dtype: "float64" })`.',
    ],
    ["set_default_device default_device device", moving],
    ["cuda", '`jl.setDevice("cuda")` picks the device, `jl.devices()` lists them, `jl.synchronize()` waits.'],
    [
      "shape size ndim",
      "`x.shape` is the shape, `x.size` the number of elements, `x.ndim` that of dimensions.",
    ],
    ["fill_diagonal", "`x.diagonal().fill_(0)` writes the diagonal."],
    ["delete", "`x.maskedSelect(mask)` and `x.indexSelect(0, indexes)` keep elements."],
    ["mgrid ogrid", "`jl.meshgrid([x.flatten(), y.flatten()])` makes grids."],
    ["tri", "`jl.ones([3, 3]).tril()` is a triangle of ones."],
    ["fromfunction", "`jl.jit((v) => 2 * v)(jl.arange(3))` computes each element."],
    // Loops and compilation.
    ["pmap shard_map DataParallel distributed", oneGpu],
    ["while_loop fori_loop foriLoop associative_scan", loops],
    ["cond", conditional],
    ["lax", lax],
    ["take_along_axis takeAlongAxis", "`jl.takeAlongDim(x, indexes, 0)` takes elements along a dimension."],
    ["adagrad adadelta lbfgs adamax nadam lion lamb", optimizer],
    [
      "functional nn F layers sequential Sequential Module Linear Conv2d ReLU GELU Flatten LayerNorm Dropout",
      layers,
    ],
    ["LSTM GRU RNN Transformer MultiheadAttention", recurrent],
    ["make_jaxpr eval_shape", "`jl.explain(() => f(x))` shows what is computed and compiled."],
    [
      "tree_map treeMap tree_util",
      "`jl.tree.map((x) => x.mul(2), { a: jl.ones([2]) })` goes through the tensors of arrays and objects.",
    ],
    ["ElementwiseKernel ReductionKernel RawKernel RawModule jiterator kernel cupyx", kernels],
    // Training.
    ["SGD Adam AdamW RMSprop Adagrad", optimizer],
    ["lr_scheduler CosineAnnealingLR StepLR LinearLR LambdaLR OneCycleLR", schedule],
    ["init kaiming_uniform_ kaiming_normal_ xavier_uniform_ xavier_normal_", initial],
    [
      "BatchNorm1d BatchNorm2d BatchNorm3d BatchNorm batch_norm",
      "`jl.batchNorm(x, { mean: jl.zeros([4]), var: jl.ones([4]) }, { training: true })` returns the output and the next running statistics.",
    ],
    ["GroupNorm group_norm", "`jl.groupNorm(x, 2)` normalizes each of 2 groups of channels."],
    ["Embedding", "`jl.embedding(indexes, x)` takes rows of a table x."],
    ["linear dense", "`x.matmul(y.mT)` multiplies with a layer's weights; .add(b) adds the bias."],
    [
      "state_dict stateDict load_state_dict loadStateDict save_checkpoint saveCheckpoint get_rng_state",
      checkpoints,
    ],
    // Data.
    ["DataLoader Dataset TensorDataset utils dataloader", loader],
    [
      "read_parquet loadParquet readExcel read_excel readJson read_json readFeather read_feather loadtxt genfromtxt",
      files,
    ],
    ["DataFrame Series", files],
    ["loadImage load_image read_image open_image imread imsave imwrite browser", imageFiles],
  ),
};

const python = 'The library is there after `import * as jl from "jitlab"`';
const waiting =
  "`await new Promise((done) => setTimeout(done, 1000))` waits for a second; %time and %timeit measure.";
const shell = "!COMMAND runs a command of the shell, such as `!ls`.";
const installing = "%npm install NAME installs a package.";
/** What there is instead of a browser's names. */
export const withoutPage =
  "Cells run in Node, which has no page: %%html shows HTML, and %%javascript runs its body in the browser.";
const ending = "The front end ends the kernel: Shut Down in its menu, Ctrl-D in a console.";

/** Names that exist in Python, shells and IPython. */
export const globalNames: Names = named(
  ["jl", `${python}.`],
  ["torch jax tf", `${python}: \`jl.zeros([2, 3])\`, \`x.add(y)\`.`],
  ["np numpy cupy cp jnp", `${python}: \`jl.arange(10)\`, \`x.add(y)\`.`],
  ["print", printing],
  ["len", "The first extent is `x.shape[0]`; an array has .length."],
  ["range", "`for (let i = 0; i < 10; i++) f(x)` counts; `jl.arange(10)` is a tensor."],
  ["enumerate", "`for (const [i, v] of [4, 5].entries()) console.log(i, v)` counts beside the values."],
  ["zip", "`[1, 2].map((v, i) => [v, [3, 4][i]])` pairs two arrays."],
  ["sorted", "`[2, 1].toSorted((a, b) => a - b)` sorts numbers."],
  ["sum", "`x.sum()` adds a tensor's elements, `[1, 2].reduce((a, b) => a + b)` an array's."],
  ["str", "`String(x)` is the text of a value."],
  ["int float", '`Number("5")` and `Math.trunc(5.5)` make numbers.'],
  ["list tuple", '`[..."abc"]` makes an array.'],
  ["dict", '`({ a: 1 })` and `new Map([["a", 1]])` hold values by name.'],
  ["isinstance", "`x instanceof jl.Tensor` and `typeof x` ask for the kind of a value."],
  ["type", "`typeof x` is the kind of a value; a tensor has `x.dtype` and `x.shape`."],
  ["help", "`x?` and %help NAME show help."],
  ["dir", "`%who` lists the variables; Tab behind a dot lists what a value has."],
  ["input", '`prompt("name? ")` asks for a line.'],
  ["sleep time", waiting],
  ["ls cat mkdir", shell],
  ["pip npm", installing],
  ["cd", "%cd FOLDER changes the folder."],
  ["pwd", "`%pwd` shows the folder."],
  ["exit quit", ending],
  ["Tensor", "The type is jl.Tensor; `jl.tensor([1, 2, 3])` makes one."],
  ["None", spelledMath("null")],
  ["True", spelledMath("true")],
  ["False", spelledMath("false")],
  ["optimizer", optimizer],
  ["window alert confirm", withoutPage],
);

/** Options of NumPy and PyTorch, and how they are written here. */
export const optionNames: Names = named(
  ["axis", "The option is named dim: `x.sum({ dim: 0 })`."],
  ["axes dims", "The option is named dim: `x.sum({ dim: [0, 1] })`."],
  ["keepdims keep_dims keepDims keepDim", "The option is named keepdim: `x.sum({ dim: 0, keepdim: true })`."],
  ["ddof", "The option is named correction: `x.std({ correction: 0 })`."],
  ["in_dims in_axes inAxes", "The option is named inDims: `jl.vmap(f, { inDims: 0 })`."],
  ["out_dims out_axes outAxes", "The option is named outDims: `jl.vmap(f, { outDims: 0 })`."],
  ["ord", "The order stands second: `jl.linalg.norm(x, 2)`."],
  ["step", "The step stands third: `jl.arange(0, 10, 2)`."],
  ["size shape", "The shape stands alone, as a list: `jl.randint(0, 10, [2])`."],
  [
    "mode fullgraph fullGraph dynamic",
    "Leave it out: what a function does is compiled at its first call, and again for other shapes.",
  ],
  [
    "static_argnums static_argnames donate_argnums",
    "Numbers and texts are compared at each call, so no argument is marked; `jl.compile(f, { donate: [0] })` gives memory away.",
  ],
  ["requires_grad requiresGrad", noMarks],
);

/** The text of an entry as a message. The backticks are there for the test of its code. */
export const shown = (text: string): string => text.replaceAll("`", "");
