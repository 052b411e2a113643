// Trains with adam and dropout from a file, or from the start, and saves the run: node training-process.mjs FROM TO STEPS.
import { existsSync } from "node:fs";
import * as jl from "../../dist/runtime/index.js";

jl.setDevice(process.env.JITLAB_TEST_DEVICE || "cpu");
const [from, to, steps] = process.argv.slice(2);
const adam = jl.optim.adam({ lr: jl.optim.cosineLr(0.05, 50, { warmup: 5 }) });
const draw = jl.generator(1);
const parameters = {
  w: [jl.xavierNormal([6, 16], { generator: draw }), jl.xavierNormal([16, 3], { generator: draw })],
};
const fresh = { parameters, state: adam.init(parameters), generator: jl.generator(2), losses: [] };
let run = existsSync(from)
  ? jl.loadTree(from, { like: { ...fresh, losses: jl.loadTree(from).losses } })
  : fresh;
const x = jl.arange(96).sin().reshape([16, 6]);
const labels = jl.arange(16).remainder(3).long();
const step = jl.compile((p, state, generator) => {
  const { value, grad } = jl.valueAndGrad(({ w }) => {
    const hidden = jl.dropout(x.matmul(w[0]).relu(), 0.3, { generator });
    return jl.crossEntropy(hidden.matmul(w[1]), labels);
  })(p);
  return { loss: value, ...adam.step(p, grad, state) };
});
for (let i = 0; i < Number(steps); i++) {
  const { loss, parameters, state } = step(run.parameters, run.state, run.generator);
  run = { parameters, state, generator: run.generator, losses: [...run.losses, loss.item()] };
}
jl.saveTree(to, run);
