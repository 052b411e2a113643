// One process of the figure "early": a training step of a small network, call by call, in a process that has run nothing else.
// Prints the microseconds of each call as JSON.
import * as jl from "../runtime/index.js";

const [device = "cpu", calls = "1000"] = process.argv.slice(2);
jl.setDevice(device);
const x = jl.rand([16, 8]) as jl.Tensor;
const labels = jl.randint(0, 4, [16]) as jl.Tensor;
let parameters: jl.Tensor[] = [jl.randn([8, 16]), jl.zeros([16]), jl.randn([16, 4]), jl.zeros([4])];

function loss([w1, b1, w2, b2]: jl.Tensor[]): jl.Tensor {
  const hidden = x
    .matmul(w1 as jl.Tensor)
    .add(b1 as jl.Tensor)
    .tanh();
  return jl.crossEntropy(hidden.matmul(w2 as jl.Tensor).add(b2 as jl.Tensor), labels);
}

const times: number[] = [];
for (let call = 0; call < Number(calls); call++) {
  const began = performance.now();
  const gradient = jl.grad(loss)(parameters) as jl.Tensor[];
  parameters = parameters.map((one, i) => one.sub((gradient[i] as jl.Tensor).mul(0.01)));
  jl.synchronize();
  times.push((performance.now() - began) * 1000);
}
console.log(JSON.stringify(times));
