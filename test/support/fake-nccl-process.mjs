// Collectives by fake-nccl.c over the GPUs of fake-cuda.c; prints what happened as JSON.
import { endInterrupted } from "../../dist/runtime/base/interruption.js";
import * as jl from "../../dist/runtime/index.js";

const failure = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
};
const [x, y] = [0, 1].map((i) => jl.tensor([1, 2, 3, 4], { dtype: "float32", device: `cuda:${i}` }));
const read = (z) => [...z.data()];
const programs = {
  job: () => [
    read(jl.allReduce(x)),
    read(jl.broadcast(x)),
    read(jl.reduceScatter(x)),
    jl.allGather(x).shape,
    jl.world().rank,
  ],
  waits: () => [
    failure(() => read(jl.allReduce(x, { timeout: 300 }))),
    read(x),
    failure(() => jl.broadcast(x)),
    read(x.to("cuda:1")),
  ],
  interrupted: () => {
    jl.allReduce(x);
    endInterrupted();
    return [read(x), failure(() => jl.broadcast(x))];
  },
  // An interrupt of what has run already leaves the job as it is.
  late: () => {
    read(jl.allReduce(x));
    endInterrupted();
    return read(jl.allReduce(x));
  },
  list: () => [failure(() => jl.allReduce([x, y])), jl.allReduce([x, y]).map(read)],
};
console.log(JSON.stringify(programs[process.argv[2]]()));
