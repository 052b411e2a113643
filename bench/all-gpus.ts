// Two GPUs of one process: bandwidth of collectives and copies beside PyTorch's, the host's cost of a collective, and training on one
// and two. Run it with `node dist/bench/all-gpus.js`; `--no-torch` leaves PyTorch out.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "../runtime/base/units.js";
import { ncclVersion } from "../runtime/device/cuda/nccl.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { residualLoss, residualModel } from "./compiled-cost.js";

type T = jl.Tensor;
const pair = ["cuda:0", "cuda:1"];
const gib = 2 ** 30;
const print = (line: string) => void process.stdout.write(`${line}\n`);
const gigabytes = (ms: number) => `${((gib / ms) * 1e-6).toFixed(0)} GB/s`;

function synchronize(): void {
  for (const name of pair) jl.synchronize(name);
}

/** The median milliseconds of a call, of several turns; a warm-up is before them. */
function milliseconds(run: () => unknown, calls: number, turns = 5): number {
  for (let i = 0; i < 5; i++) run();
  synchronize();
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const began = performance.now();
    for (let i = 0; i < calls; i++) run();
    synchronize();
    times.push((performance.now() - began) / calls);
  }
  return median(times);
}

function collectives(): void {
  const large = pair.map((device) => jl.ones([gib / 4], { device }));
  const ms = milliseconds(() => jl.allReduce(large), 10);
  print(`all-reduce of 1 GiB: ${ms.toFixed(2)} ms, ${gigabytes(ms)} of the bus (NCCL ${ncclVersion()})`);
  const [first, second] = pair.map((name) => getDevice(name)) as [
    ReturnType<typeof getDevice>,
    ReturnType<typeof getDevice>,
  ];
  const copyMs = milliseconds(() => (large[0] as T).to(pair[1] as string), 10);
  const [from, to] = large as [T, T];
  const rawMs = milliseconds(() => second.receive?.(to.pointer, first, from.pointer, gib), 10);
  print(
    `copy of 1 GiB: ${copyMs.toFixed(2)} ms, ${gigabytes(copyMs)}; cuMemcpyPeer alone: ${rawMs.toFixed(2)} ms, ${gigabytes(rawMs)}`,
  );

  const small = pair.map((device) => jl.ones([256], { device }));
  const hostUs = (run: () => unknown) => {
    for (let i = 0; i < 200; i++) run();
    synchronize();
    const began = performance.now();
    for (let i = 0; i < 200; i++) run();
    const us = ((performance.now() - began) / 200) * 1e3;
    synchronize();
    return us.toFixed(1);
  };
  const replayed = jl.compile((x: T, y: T) => jl.allReduce([x, y]), { replay: true });
  print(
    `host's cost of an all-reduce of 1 KiB: ${hostUs(() => jl.allReduce(small))} us, replayed ${hostUs(() => replayed(small[0] as T, small[1] as T))} us`,
  );
  print(
    `time of an all-reduce of 1 KiB: ${(milliseconds(() => jl.allReduce(small), 200) * 1e3).toFixed(1)} us`,
  );
}

/** The elements of a replica as text, to compare. */
function bitsOf(parameters: unknown): string {
  return jl.tree
    .flatten(parameters)
    .leaves.map((x) => Buffer.from(x.data().buffer).toString("base64"))
    .join();
}

function training(perGpu: number): void {
  const optimizer = jl.optim.sgd({ lr: 0.01, momentum: 0.9 });
  jl.manualSeed(1);
  const model = residualModel(16);
  const [images, labels] = [jl.randn([2 * perGpu, 3, 32, 32]), jl.randint(0, 10, [2 * perGpu])];
  const rate = (devices: string[]) => {
    const train = jl.dataParallel({ loss: residualLoss, optimizer }, { devices });
    const [x, y] = [
      images.narrow(0, 0, perGpu * devices.length),
      labels.narrow(0, 0, perGpu * devices.length),
    ];
    let replicas = train.init(model);
    const ms = milliseconds(() => ({ replicas } = train.step(replicas, x, y)), 30);
    return (perGpu * devices.length * 1e3) / ms;
  };
  const [one, two] = [rate([pair[0] as string]), rate(pair)];
  print(
    `ResNet-20, ${perGpu} images for each GPU: ${one.toFixed(0)} images/s on one, ${two.toFixed(0)} on two, ${(two / one).toFixed(2)} times`,
  );
}

function equalBits(): void {
  const optimizer = jl.optim.sgd({ lr: 0.01, momentum: 0.9 });
  jl.manualSeed(1);
  const model = residualModel(16);
  const [x, y] = [jl.randn([256, 3, 32, 32]), jl.randint(0, 10, [256])];
  const ended = () => {
    const train = jl.dataParallel({ loss: residualLoss, optimizer }, { devices: pair });
    let replicas = train.init(model);
    for (let i = 0; i < 20; i++) ({ replicas } = train.step(replicas, x, y));
    return replicas.map(({ parameters }) => bitsOf(parameters));
  };
  const [a, b] = [ended(), ended()];
  print(
    `bits after 20 steps: ${a[0] === a[1] ? "equal" : "DIFFERENT"} on both, ${a[0] === b[0] ? "equal" : "DIFFERENT"} in two runs`,
  );
}

function torch(): void {
  const script = fileURLToPath(new URL("../../bench/all_gpus_torch.py", import.meta.url));
  const { stdout, status, stderr } = spawnSync("python3", [script], { encoding: "utf8", timeout: 240_000 });
  for (const line of stdout.trim().split("\n")) {
    const [what, value, more = ""] = line.split(" ");
    if (what === "version") print(`PyTorch ${value}, NCCL ${more}`);
    else if (what !== "")
      print(`PyTorch's ${what} of 1 GiB: ${Number(value).toFixed(2)} ms, ${gigabytes(Number(value))}`);
  }
  if (status !== 0) print(`PyTorch: ${stderr.trim().split("\n").at(-1)}`);
}

jl.setDevice(pair[0] as string);
const parts = [
  collectives,
  ...(process.argv.includes("--no-torch") ? [] : [torch]),
  () => training(128),
  () => training(512),
  equalBits,
];
for (const part of parts) {
  try {
    part();
  } catch (error) {
    print(`failed: ${error instanceof Error ? error.stack : error}`);
  }
  jl.memory.release();
}
