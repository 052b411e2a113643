// The host's cost of one call: tensors of one element with queued launches, so that only the call is measured.
import type { Device } from "../runtime/device/device.js";
import * as jl from "../runtime/index.js";
import { axpy } from "./functors.js";
import { rawLaunch } from "./raw-launch.js";
import { recordingCost } from "./recording-cost.js";
import { stageShares } from "./stages.js";
import { attempt, hostMicroseconds, progress, type Trial } from "./trial.js";

/** The raw launch, and calls of the library; each with its stages. */
export async function hostCost(device: Device): Promise<Trial[]> {
  const x = jl.tensor([1]);
  const y = jl.tensor([2]);
  const out = jl.tensor([0]);
  const f = jl.jit(axpy);
  const calls: readonly (readonly [string, string, () => unknown])[] = [
    ["add", "x.add(y)", () => x.add(y)],
    ["add-out", "x.add(y, { out })", () => x.add(y, { out })],
    ["add-scalar", "x.add(1)", () => x.add(1)],
    ["jit", "a jit function f(x, y)", () => f(x, y)],
    ["digamma", "x.digamma()", () => x.digamma()],
    ["sum", "x.sum()", () => x.sum()],
  ];
  const raw = attempt({ id: "host/raw", title: "raw launch through the same FFI", unit: "us" }, () =>
    hostMicroseconds(device, rawLaunch(device, [out.pointer, x.pointer, y.pointer])),
  );
  const trials = [raw];
  for (const [name, title, call] of calls) {
    const trial = attempt({ id: `host/${name}`, title: `${title}, one element`, unit: "us" }, () =>
      hostMicroseconds(device, call),
    );
    trials.push(trial.ours === undefined ? trial : { ...trial, detail: await stagesOf(call, trial.ours) });
  }
  return [
    ...trials,
    ...compiledTrials(device, x),
    adamTrial(device),
    graphTrial(device, x, y),
    recordingCost(device),
  ];
}

/** Compiled functions against their separate operations; the difference between one and ten is the cost of deferring. */
function compiledTrials(device: Device, x: jl.Tensor): Trial[] {
  const chain = (operations: number) => () => {
    let y = x;
    for (let i = 0; i < operations; i++) y = y.add(0.5);
    return y;
  };
  return [1, 10, 20].map((operations) => {
    const compiled = jl.compile(chain(operations));
    const replayed = jl.compile(chain(operations), { replay: true });
    const title = `a compiled function of ${operations} additions, one element`;
    const detail = {
      separate: hostMicroseconds(device, chain(operations)),
      replayed: hostMicroseconds(device, replayed),
    };
    const trial = { id: `host/compiled-${operations}`, title, unit: "us", detail } as const;
    return attempt(trial, () => hostMicroseconds(device, compiled));
  });
}

/** One step of Adam on a hundred tensors of a thousand elements, until it is done. */
function adamTrial(device: Device): Trial {
  const states = Array.from({ length: 100 }, () => [1, 2, 3, 4].map(() => jl.rand([1000])));
  const step = () => {
    for (const [p, g, m, v] of states as [jl.Tensor, jl.Tensor, jl.Tensor, jl.Tensor][]) {
      m.mul_(0.9).add_(g.mul(0.1));
      v.mul_(0.999).add_(g.mul(g).mul(0.001));
      p.sub_(m.mul(0.01).div(v.sqrt().add(1e-8)));
    }
  };
  const until = (run: () => unknown) =>
    hostMicroseconds(
      device,
      () => {
        run();
        device.synchronize();
      },
      20,
    );
  const title = "100 Adam steps of 1000 elements, compiled, until they are done";
  const detail = { replayed: until(jl.compile(step, { replay: true })) };
  return attempt({ id: "host/adam-100", title, unit: "us", detail }, () => until(jl.compile(step)));
}

const graphed = 100;

function graphTrial(device: Device, x: jl.Tensor, y: jl.Tensor): Trial {
  return attempt({ id: "host/graph", title: `one of ${graphed} ops in a replayed graph`, unit: "us" }, () => {
    const step = jl.graph(() => {
      for (let i = 0; i < graphed; i++) x.add_(y);
    });
    // Replays outrun the device, so that what counts is the time until it is done.
    const replays = 50;
    const microseconds = hostMicroseconds(
      device,
      () => {
        for (let i = 0; i < replays; i++) step();
        device.synchronize();
      },
      20,
    );
    step.dispose();
    return microseconds / replays / graphed;
  });
}

async function stagesOf(call: () => unknown, microseconds: number): Promise<Record<string, number>> {
  progress("  its stages");
  const shares = await stageShares(call);
  return Object.fromEntries(Object.entries(shares).map(([stage, share]) => [stage, share * microseconds]));
}
