// One process of a job: runs the program of test/device/world.test.ts that its argument names, and writes what it finds to a file
// of its rank: launchers mix the output of processes, and lose that of a job which fails.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as jl from "../../dist/runtime/index.js";
import { randomProgram } from "./collective-programs.mjs";

const { rank, size, localRank, device } = jl.world();
jl.setDevice(process.argv[4] ?? "cpu");
const failure = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
};
const own = jl.tensor([1, 2, 3, 4]).mul(10 ** rank);

const programs = {
  all: () => ({
    world: [rank, size, localRank, device],
    sum: jl.allReduce(own).toArray(),
    mean: jl.allReduce(own, { op: "mean" }).toArray(),
    max: jl.allReduce(own, { op: "max" }).toArray(),
    broadcast: jl.broadcast(own, { root: 2 }).toArray(),
    gathered: jl.allGather(own.narrow(0, 0, 2)).toArray(),
    part: jl.reduceScatter(own).toArray(),
    scalar: jl.allReduce(own.sum()).item(),
    none: jl.allReduce(jl.zeros([0, 3])).shape,
    int16: jl.allReduce(jl.full([3], rank, { dtype: "int16" })).toArray(),
    gradient: jl
      .grad((x) => jl.allReduce(x.mul(x)).sum())(own)
      .toArray(),
    compiled: (() => {
      const step = jl.compile((x) => jl.allReduce(x.mul(2)).add(1), { replay: true });
      const values = Array.from({ length: 5 }, (_, i) => step(own.add(i)).toArray()[0]);
      return [values, step.report().breaks];
    })(),
  }),
  pair: () => {
    jl.setDevice(device);
    const x = jl.tensor([1, 2, 3, 4]).mul(10 ** rank);
    const train = jl.dataParallel(
      { loss: (w, x) => x.mul(w).square().mean(), optimizer: jl.optim.sgd({ lr: 0.1 }) },
      { devices: [device] },
    );
    let replicas = train.init(jl.ones([4]));
    for (let i = 0; i < 20; i++)
      ({ replicas } = train.step(replicas, jl.arange(8, { dtype: "float32" }).view([2, 4])));
    return {
      device,
      sum: jl.allReduce(x).toArray(),
      mean: jl.allReduce(x, { op: "mean" }).toArray(),
      broadcast: jl.broadcast(x, { root: 1 }).toArray(),
      gathered: jl.allGather(x.narrow(0, 0, 2)).toArray(),
      part: jl.reduceScatter(x).toArray(),
      int16: jl.allReduce(x.to("int16")).toArray(),
      gradient: jl
        .grad((x) => jl.allReduce(x.mul(x)).sum())(x)
        .toArray(),
      trained: replicas[0].parameters.toArray(),
    };
  },
  random: () =>
    Array.from({ length: 300 }, (_, seed) =>
      randomProgram(seed, size, rank, (x, name, options) => jl[name](x, options)),
    ),
  training: () => {
    const loss = ({ w, b }, x, y) => x.matmul(w).add(b).sub(y).square().mean();
    jl.manualSeed(5);
    const [x, y] = [jl.randn([16, 3]), jl.randn([16, 1])];
    const train = jl.dataParallel({ loss, optimizer: jl.optim.adam({ lr: 0.1 }) }, { devices: ["cpu"] });
    let replicas = train.init({ w: jl.ones([3, 1]), b: jl.zeros([1]) });
    let value;
    for (let i = 0; i < 10; i++) ({ value, replicas } = train.step(replicas, x, y));
    const { w, b } = replicas[0].parameters;
    return [value, w, b].map((one) => Buffer.from(one.data().buffer).toString("hex"));
  },
  differs: () => [
    failure(() => jl.allReduce(jl.zeros([rank === 2 ? 3 : 2])).toArray()),
    failure(() => (rank === 1 ? jl.broadcast(own) : jl.allReduce(own)).toArray()),
    jl.allReduce(own).toArray(),
  ],
  // (func (param i32) (result i32) local.get 0 i32.load), which V8 ends by a signal for an address beyond the memory.
  trap: () => {
    jl.allReduce(own);
    const bytes = [
      ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1],
      ...[1, 102, 0, 0, 10, 9, 1, 7, 0, 32, 0, 40, 2, 0, 11],
    ];
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes))).exports;
    try {
      return f(0x7fffffff);
    } catch (error) {
      return error.constructor.name;
    }
  },
  unequal: () => [failure(() => jl.allReduce(jl.zeros([2 + rank])).toArray()), jl.allReduce(own).toArray()],
  late: () => {
    jl.allReduce(own);
    if (rank === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    else
      return [
        failure(() => jl.allReduce(own, { timeout: 300 }).toArray()),
        own.toArray(),
        failure(() => jl.allReduce(own)),
      ];
    return [];
  },
  killed: () => {
    if (rank === 1) process.kill(process.pid, "SIGKILL");
    return jl.allReduce(own).toArray();
  },
  other: () => failure(() => jl.allReduce(own)),
};

const found = programs[process.argv[2]]();
writeFileSync(join(process.argv[3], `${rank}`), JSON.stringify(found));
