// How each magic is used and misused, for the snapshots of what it says. A magic of the table without an entry here fails
// its test. Cells run in order, after `setUp`, in one kernel on the cpu device with an empty cache.

/** The uses of one magic. */
export interface Uses {
  readonly cells: readonly string[];
  /** Wrong uses beside the ones that every magic shares: an unknown option, an empty body. */
  readonly wrong?: readonly string[];
  /** What differs from machine to machine or run to run beside times and sizes, and what stands for it. */
  readonly masks?: readonly (readonly [RegExp, string])[];
}

export const setUp = [
  "%reset -f",
  'import * as jl from "jitlab";\nconst x = jl.arange(1, 5).to("float32");\nx.add(1);',
] as const;

const digits = [/\b\d[\d,]*\b/g, "N"] as const;
const percents = [/\b[\d.]+ %/g, "P %"] as const;
// Assembly and machine code depend on the host's compiler.
const code = [/(?:^ *\d+ [ |].*\n?)+/gm, "<code>\n"] as const;
const ratios = [/\b(?:fastest|[\d.,]+×)(?=\n|$)/g, "<ratio>"] as const;

export const uses: Readonly<Record<string, Uses>> = {
  kernel: {
    cells: [
      "%%kernel lerp alpha=0.5\ntemplate <typename T> T lerp(T x, T y, T alpha) { return x + alpha * (y - x); }",
      "lerp(x, x.mul(3))",
      "%%kernel isLarge --returns bool\ntemplate <typename T> bool large(T x) { return x > T(2); }",
      "isLarge(x)",
      '%%kernel folded --slopes "x: 2 * x"\ntemplate <typename T> T folded(T x) { return x * x; }',
    ],
    wrong: [
      '%%kernel f --slopes "2 * x"\nfloat f(float x) { return x; }',
      '%%kernel f --slopes "y: 1"\nfloat f(float x) { return x; }',
      "%%kernel f\n  \n",
      "%%kernel f\nint x;",
      "%%kernel a-b\nfloat f(float x) { return x; }",
      "%%kernel class\nfloat f(float x) { return x; }",
      "%%kernel f n=x\nfloat f(float x, int n) { return x; }",
      "%%kernel f m=1\nfloat f(float x, int n) { return x; }",
      "%%kernel f out=1\nfloat f(float x, float out) { return x; }",
      "%%kernel f --returns int\nfloat f(float x) { return x; }",
      "%%kernel f --returns\nfloat f(float x) { return x; }",
      '%%kernel "f\nfloat f(float x) { return x; }',
      "%%kernel\ntemplate <typename T> void f(T x) { }",
      "%%kernel\ntemplate <typename T> T f(T x) { }",
      "%%kernel\ntemplate <typename T> T f(T x) { return x; }\ntemplate <typename T> T f(T x) { return 2; }",
      "%%kernel\nfloat4 f(float x) { return x; }",
    ],
  },
  cuda: {
    cells: [
      "%%cuda\n__global__ void scale(float* x, float by, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] *= by;\n}",
      "scale.source.length",
      '%%cuda filled --templates "float, 4"\ntemplate <typename T, int N> __global__ void filled(T* x) { x[threadIdx.x] = N; }\n__global__ void other() {}',
    ],
    wrong: [
      "%%cuda\n  \n",
      "%%cuda\nint x;",
      "%%cuda scal\n__global__ void scale(float* x) {}",
      "%%cuda\n__global__ void one() {}\n__global__ void two() {}",
      "%%cuda class\n__global__ void class(float* x) {}",
      "%%cuda a b\n__global__ void a() {}",
      "%%cuda\ntemplate <typename T> __global__ void made(T* x) {}",
      "scale({ elements: 4 }, x, 2, 4)",
      "scale({ elements: 4 }, x, 'two', 4)",
    ],
  },
  reduction: {
    cells: [
      "%%reduction product --identity 1\ntemplate <typename T> T combine(T a, T b) { return a * b; }",
      "product(x).item()",
      "%%reduction meanOfSquares count=0n sum=0\ntemplate <typename T> void combine(int64 n, T s, int64 n2, T s2, int64& count, T& sum) {\n  count = n + n2;\n  sum = s + s2;\n}\ntemplate <typename T> void map(T x, int64& count, T& sum) { count = 1; sum = x * x; }\ntemplate <typename T> T finish(int64 count, T sum) { return sum / T(count); }",
      "meanOfSquares(x.reshape(2, 2), 1).toArray()",
    ],
    wrong: [
      "%%reduction f --identity 0\n  \n",
      "%%reduction\ntemplate <typename T> T combine(T a, T b) { return a; }",
      "%%reduction f\ntemplate <typename T> T combine(T a, T b) { return a; }",
      "%%reduction f n=0 --identity 0\ntemplate <typename T> T combine(T a, T b) { return a; }",
      "%%reduction f --identity none\ntemplate <typename T> T combine(T a, T b) { return a; }",
      "%%reduction f --identity 0\ntemplate <typename T> T join(T a, T b) { return a; }",
      "%%reduction f --identity 0 --returns int\ntemplate <typename T> T combine(T a, T b) { return a; }",
      "%%reduction f g --identity 0\ntemplate <typename T> T combine(T a, T b) { return a; }",
      "%%reduction f --identity 0\ntemplate <typename T> T combine(T a) { return a; }",
      "%%reduction f n=0 m=0\ntemplate <typename T> void combine(T a, T b, T c, T d, T& e, T& f) { e = a; f = b; }",
    ],
  },
  source: {
    cells: [
      "%source gcd int64 --device cuda --arch sm_90",
      "%%source\nx.neg();",
      "%%source\n1 + 1",
      "const cube = jl.jit((a) => a * a * a)",
      "%source cube --grad",
    ],
    wrong: [
      "%source",
      "%source digama",
      "%source digamma complex64",
      "%source gcd float32",
      "%source gcd int65",
      "%source gcd int32 int32 int32",
      "%source gcd --devce cpu",
      "%source gcd --device",
      "%source gcd --device gpu",
      "%source gcd --layout diagonal",
      '%source "gcd',
      "%source x",
      "%source gcd --arch sm_0x",
      "%source digamma --grad",
      "%%source extra\n1",
    ],
    masks: [code],
  },
  inspect: {
    cells: [
      "%inspect x.add(1)",
      "%inspect gcd int64",
      "%inspect jl.trunc float64 --device cpu",
      "%inspect x.sort()",
      "%inspect --counters x.add(1)",
      "%inspect",
      "%inspect --kernel 1",
    ],
    wrong: [
      "%inspect await x.sin()",
      "%inspect digama",
      "%inspect gcd float32",
      "%inspect gcd --arch",
      "%inspect --counters gcd",
      "%inspect --kernel 0 x.add(1)",
      "%inspect --kernel 3 x.add(1)",
      "%inspect --kernel 999",
      "%inspect --device cuda x.add(1)",
      "%inspect --arch sm_90 x.add(1)",
      "%inspect 5",
    ],
    masks: [
      [/\d+ instructions?: .*/g, "<instructions>"],
      [/\n(?:because|compiled|fetched from the cache|time on cpu): .*/g, ""],
      [/x86-64-\w+|arm64-\w+/g, "<arch>"],
      [/^ +\d+ {2}.*(?:\n|$)/gm, ""],
      [/\b\d+ kernels\b/g, "N kernels"],
      [/\bkernel 999 of \d+/g, "kernel 999 of N"],
    ],
  },
  roofline: {
    cells: ["%roofline --no-plot x.mul(3)", "%%roofline --no-plot\nx.mul(3);", "%roofline --no-plot"],
    wrong: ["%roofline await x.sin()", "%roofline --plot x.sin()", "%%roofline x\n1", "%roofline 5"],
    masks: [
      percents,
      [/[\d.]+ [kMGT]?(?:B|FLOP)\/s/g, "<speed>"],
      [/(?:memory|cache|arithmetic), P %|too small to say$/gm, "<bound> %"],
      [/\b0\.\d+(?= +<speed>)/g, "<ratio>"],
    ],
  },
  diff: {
    cells: [
      "%%kernel half\ntemplate <typename T>\nT half(T v) { return v / T(2); }",
      "%%kernel half\ntemplate <typename T>\nT half(T v) { return v * T(0.5); }",
      "%diff half@1 half@2",
      "%diff half@1 half@1",
    ],
    wrong: [
      "%diff",
      "%diff half@1",
      "%diff half@1 half@7",
      "%diff half float32",
      "%diff halve float32 float64",
      "%diff half float32 float65",
      "%diff a@1 a@2",
    ],
  },
  ptx: {
    cells: ["%ptx trunc float64", "%%ptx\nx.trunc();"],
    wrong: ["%ptx", "%ptx digama", "%ptx digamma complex64", "%%ptx extra\n1"],
    masks: [code],
  },
  sass: {
    cells: ["%sass ceil float64", "%%sass\nx.ceil();"],
    wrong: ["%sass", "%sass digama", "%sass digamma complex64", "%%sass --arch\n1"],
    masks: [code],
  },
  timings: {
    cells: ["x.floor();\nx.floor();", "%timings floor --no-plot", "%%timings --no-plot\nx.floor();"],
    wrong: ["%timings florr", "%timings a b", "%%timings a\n1"],
  },
  profile: {
    cells: ["%%profile --no-plot\nx.floor();"],
    wrong: ["%%profile a\n1", "%%profile --no-plot --trace /nowhere/at/all.json\nx.floor();"],
    masks: [percents],
  },
  cache: {
    cells: [
      "x.tan();",
      "%cache clear",
      "%cache",
      "x.cosh();\nx.cosh();",
      "%cache",
      "%cache status",
      "%cache list",
      "%cache verify",
      "%%cache\nx.cosh();\nx.sinh();",
      "%%cache\n1",
    ],
    wrong: ["%cache stats", "%cache nonsense", "%cache list all", "%%cache status\n1"],
    masks: [
      percents,
      [
        /(?<=^(?:compiled by|fetched|hit rate|launches|fetches|kernels|size) .*|^(?:Cleared|Checked) .*)\b\d[\d,]*\b/gm,
        "N",
      ],
    ],
  },
  time: {
    cells: ["%time 1 + 1", "const y = %time x.add(1)\ny", "%%time\nx.add(1);"],
    wrong: ["%time", "%%time x\nx", "%time null!.x", "%time (1", "%%time\nthrow new Error('no')"],
  },
  timeit: {
    cells: [
      "%timeit -n 3 -r 2 1 + 1",
      "%timeit -n 3 -r 2 x.add(1)",
      "%%timeit -n 1 -r 1 const z = x.add(1)\nz.add(1);",
      "const timed = %timeit -q -o -n 4 -r 1 1\n[timed.loops, timed.repeat]",
    ],
    wrong: [
      "%timeit",
      "%timeit -z x",
      "%timeit -n 0 x",
      "%timeit -r many x",
      "%timeit -n",
      "%timeit JSON.parse('{')",
    ],
    masks: [
      [/^(?:The slowest run took|First call:) .*\n/gm, ""],
      [/\. Compile: .*/g, "."],
      [/[\d.e+-]+ GB\/s/g, "<speed>"],
    ],
  },
  bench: {
    cells: ["%bench x.add(1) ; x.add(2)", '%bench --with "x = jl.ones([n])" --sizes 10 x.add(1)'],
    wrong: [
      "%bench",
      "%bench --with 3 x",
      "%bench --sizes 0 x",
      "%bench --size 3 x",
      "%bench JSON.parse('{')",
    ],
    masks: [ratios],
  },
  compile: {
    cells: [
      "%%compile\nconst y = x.sin().mul(2).add(x)\nconst total = y.sum()\ny.sub(1)",
      "%%compile\nconst half = x.sum().item() as number > 3 ? x.neg() : x\nhalf.exp()",
      "%%compile --no-exact\nx.to('float16').to('float32').add(x)",
      "%%compile\n1 + 1",
      "%%compile\nawait Promise.resolve(x.sin())",
    ],
    wrong: ["%%compile x\n1"],
  },
  program: {
    cells: [
      "const step = jl.compile((v: jl.Tensor, rate: number) => {\n  const w = v.sin().mul(rate);\n  return w.div(w.sum()).add_(v);\n}, { name: 'step' })",
      "%program step(x, 0.5)",
      "%program step",
      "const looks = jl.compile((v: jl.Tensor) => v.add((v.sum().item() as number) > 0 ? 1 : 2))\n%program looks(x)",
      'const once = jl.jit("#define ONE T(1)\\ntemplate <typename T> T once(T x) { return x + ONE; }")\n' +
        "const opaque = jl.compile((v: jl.Tensor) => (once(v.mul(2)) as jl.Tensor).sub(1))\n%program opaque(x)",
    ],
    wrong: [
      "%program",
      "%program 3 + x",
      "%program x",
      "%program x.add(1)",
      "const fresh = jl.compile(() => 1)\n%program fresh",
    ],
  },
  guards: {
    cells: [
      "const step = jl.compile((v: jl.Tensor, rate: number) => {\n  const w = v.mul(rate);\n  return (w.sum().item() as number) > 0 ? w.exp() : w;\n}, { name: 'step' })",
      "%guards step",
      "step(x, 1); step(x, 2); step(jl.ones([3]), 3); step(jl.ones([3], { dtype: 'float64' }), 1); step(x, -1);",
      "%guards step",
    ],
    wrong: ["%guards", "%guards step(x)", "%guards x"],
  },
  compare: {
    cells: [
      "%%compare\nconst y = x.sub(x.max()).exp()\nconst z = y.div(y.sum()).mul(jl.rand([4]))\nconst n = z.size",
      "%%compare --backends eager,steps,fused\nconst y = x.mul(2).sin().to('float16')",
      "const swish = jl.jit((a, b) => a / (1 + Math.exp(-b * a)))",
      "%%compare --grad\nswish(x, x.mul(0.5))",
      "%%compare\n// scaled\nx.mul(2)\n  .sin();",
      "%%compare --devices cpu,wasm\nconst y = x.mul(jl.rand([4]))\nconst z = y.add_(x).sum()",
      "%%compare --devices cpu,wasm\nconst w = x.mul(2)\nconst y = w.mul(jl.getDevice() === 'cpu' ? 1 : 1 + 2 ** -23)\nconst z = y.add(w)",
    ],
    wrong: [
      "%%compare\nx.add(1)\nx.add(2)",
      "%%compare\nfor (const y of [x]) y.add(1)",
      "%%compare --backends quick\nconst y = x",
      "%%compare --backends\nconst y = x",
      "%%compare x\nconst y = x",
      "%%compare --devices cpu\nconst y = x",
      "%%compare --devices cpu,wasm --backends eager\nconst y = x",
      "%%compare --devices cpu,gpu\nconst y = x",
      "%%compare --grad\nconst y = x",
      "%%compare --grad\nx.norm()",
      "%%compare --devices cpu,wasm\nconst y = jl.ones([2], { device: 'cpu' })",
    ],
    masks: [
      [/[\d.,]+×/g, "<ratio>"],
      [/at most [\d.e-]+(?= {2})/g, "at most <error>"],
    ],
  },
  device: {
    cells: ["%device cpu", "%device"],
    wrong: ["%device gpu", "%device cpu wasm", "%device cpu:7"],
    masks: [
      [/^(cuda|cpu|wasm|opencl)(?::\d)? .*/gm, "$1 <state>"],
      [/ \(.*\)\.$/gm, " (<description>)."],
    ],
  },
  memory: {
    cells: [
      "%memory",
      "%%memory\nconst large = jl.ones([1048576]);\nconst total = large.add(1).sum();",
      "%%memory\n1 + 1",
      "%%memory --collect\nconst more = jl.ones([1048576]).add(1);",
      "const chained = jl.compile((x: jl.Tensor, by: number) => x.mul(by).add(1))\n%memory --timeline chained(large, 2)",
      "%memory --timeline large.add(1)",
      "%memory --timeline Math.max(1, 2)",
    ],
    wrong: [
      "%memory cpu",
      "%memory --collect",
      "%%memory 3\nx",
      "%memory --timeline",
      "%memory --timeline large.add(1).sum()",
      "%memory --timeline large",
      "%%memory --timeline\nx",
    ],
    masks: [digits, [/^MiB by block.*\nowned.*(?:\n[▁-█ ]+$)?/gm, "MiB by block\nowned <curve>"]],
  },
  lsmagic: { cells: ["%lsmagic"], wrong: ["%lsmagic all"] },
  help: {
    cells: [
      "%help cache",
      "%help digamma",
      "%help",
      "%cd?",
      "%%time?",
      "x.add?",
      "const half = 2\nhalf?",
      "%pwd??",
    ],
    wrong: ["%help digama", "%timeti?", "nowhere?", "%help a b"],
    masks: [[/^cached .*/gm, "cached <kernels>"]],
  },
  who: { cells: ["%who", "%who Tensor", "%who Map"] },
  whos: { cells: ["%whos Tensor", 'const word = "<b>bold</b>"\n%whos string', "%whos Map"] },
  reset: { cells: ["%reset -f", "%who"], wrong: ["%reset all"] },
  load: { cells: ["%load helper.ts"], wrong: ["%load", "%load nowhere.ts", "%load a b", '%load "a'] },
  history: {
    cells: [
      "%history 2",
      "%history 1 -n",
      "%%kernel twice\ntemplate <typename T> T twice(T v) { return v + v; }",
      "%%kernel twice\ntemplate <typename T> T twice(T v) { return T(2) * v; }",
      "%history twice",
      "%history twice(x)",
    ],
    wrong: ["%history 0", "%history two", "%history 1 2"],
    masks: [
      [/(\+\d+ −\d+|–) +(\S+) +[\d,]+/g, "$1  $2  N"],
      [/^ +\d+: /gm, "   N: "],
    ],
  },
  export: {
    cells: [
      "%export x.add(1)",
      "%export --folder both --launches 1-2 x.add(1).mul(2)",
      "%export --no-inputs { const b = x.cos(); b }",
    ],
    wrong: [
      "%export",
      "%export await x.sin()",
      "%export --folders a x.sin()",
      "%export --launches 2 x.sin()",
      "%export --launches two x.sin()",
      "%export --folder both x.sin()",
      "%export 5",
    ],
    masks: [[/(?<=, )[\d.]+ KiB: cd \S*\//g, "<size>: cd <folder>/"]],
  },
  precompile: {
    cells: ["%precompile hypot float32"],
    wrong: ["%precompile", "%precompile hypt", "%precompile gcd float32", "%precompile add --device gpu"],
  },
  capture: {
    cells: [
      "%%capture kept\nconsole.log('hidden');\nx",
      "[kept.stdout, kept.outputs.length]",
      "kept.show()",
      "%%capture --no-stdout\nconsole.log('shown')",
    ],
    wrong: ["%%capture a-b\n1", "%%capture a b\n1"],
  },
  nan: {
    cells: [
      "%%nan\nx.sub(1).sqrt().sum()",
      "%%nan --allow inf\nx.sub(1).log().exp()",
      "%config nan = stop",
      "%%compile\nx.add(1)",
      "x.add(1)",
      "%config nan = ignore",
      "x.div(0)",
    ],
    wrong: [
      "%%nan --allow nan\nx",
      "%%nan 3\nx",
      "%config nan = on",
      "%%nan\nconst shifted = x.sub(1);\nshifted.log()",
      "%%nan\njl.grad((y: jl.Tensor) => y.sub(1).sqrt().sum())(x)",
      "%%nan\njl.compile((y: jl.Tensor) => y.div(0))(x)",
      "%config nan = stop\ntry {\n  x.div(0);\n} finally {\n  %config nan = ignore\n}",
    ],
  },
  digits: {
    cells: [
      "%%digits\nconst moved = x.add(1000);\nmoved.square().mean().sub(moved.mean().square())",
      "%%digits\njl.jit('float third(float x) { return x / 3.0f; }')(x)",
      "%%digits\nx.gt(1)",
    ],
    wrong: ["%%digits 3\nx", "%%digits\nx.sub(1).reshape(3)"],
  },
  config: {
    cells: ["%config", "%config precision", "%config precision = 3", "x.div(3)", "%config precision=5"],
    wrong: ["%config precison", "%config precision=x", "%config typecheck=of", "%config device = gpu"],
    masks: [[/^(device +)\S+/gm, "$1<device>"]],
  },
  precision: {
    cells: ["%precision 3", "x.div(3)", "%precision", "x.div(3)"],
    wrong: ["%precision 0", "%precision 18", "%precision two", "%precision 1 2"],
  },
  typecheck: {
    cells: ["%typecheck warn", "const n: number = 'x'", "%typecheck on"],
    wrong: ["%typecheck", "%typecheck of", "%typecheck on off"],
  },
  xmode: {
    cells: ["%xmode minimal", "null!.x", "%xmode Context"],
    wrong: ["%xmode", "%xmode Pain", "%xmode Plain Context"],
  },
  cd: { cells: ["%cd sub", "%cd -"], wrong: ["%cd nowhere"] },
  pwd: { cells: ["%pwd"], wrong: ["%pwd here"] },
  env: { cells: ["%env JITLAB_DEVICE", "%env A_TEST=1 2", "%env A_TEST"], wrong: ["%env NOT_SET_ANYWHERE"] },
  system: { cells: ["%system echo one; echo two", "const said = %system echo hi\nsaid"], wrong: ["%system"] },
  sx: { cells: ["%sx echo one"], wrong: ["%sx"] },
  npm: {
    cells: ["%npm --version"],
    wrong: ["%npm"],
    masks: [
      [/\b\d+\.\d+\.\d+\b/g, "N.N.N"],
      [/^npm warn .*\n/gm, ""],
    ],
  },
  run: {
    cells: ["%run helper.ts", "answer"],
    wrong: ["%run", "%run helper.py", "%run nowhere.ipynb", "%run nowhere.ts", "%run a.ts b.ts"],
  },
  script: {
    cells: ["%%script cat\na line", "%%script --out text cat\nkept", "text"],
    wrong: ["%%script\n1", "%%script no-such-program\n1", "%%script --out a-b cat\n1"],
  },
  bash: {
    cells: ["%%bash\necho hi; echo oops >&2", "%%bash --no-raise-error\nexit 3"],
    wrong: ["%%bash\nexit 3"],
  },
  sh: { cells: ["%%sh\necho hi"], wrong: ["%%sh\nexit 3"] },
  writefile: {
    cells: ["%%writefile a.txt\none", "%%writefile -a a.txt\ntwo", "!cat a.txt"],
    wrong: ["%%writefile\none", "%%writefile /nowhere/a.txt\none", "%%writefile a b\none"],
  },
  file: { cells: ["%%file b.txt\none"], wrong: ["%%file\none"] },
  html: { cells: ["%%html\n<b>bold</b>"], wrong: ["%%html a\n1"] },
  markdown: { cells: ["%%markdown\n*it*"], wrong: ["%%markdown a\n1"] },
  svg: { cells: ["%%svg\n<svg xmlns='http://www.w3.org/2000/svg'/>"], wrong: ["%%svg a\n1"] },
  latex: { cells: ["%%latex\n$x$"], wrong: ["%%latex a\n1"] },
  javascript: { cells: ["%%javascript\nconsole.log(1)"], wrong: ["%%javascript a\n1"] },
};
