// The cost of a recording per launch: calls of one element in short turns, with and without a recording, so that other work
// of the machine affects both equally.
import { median } from "../runtime/base/median.js";
import type { Device } from "../runtime/device/device.js";
import * as jl from "../runtime/index.js";
import { attempt, type Trial } from "./trial.js";

const turns = 300;
const calls = 2000;
const warmUpTurns = 60;

/** Microseconds that `jl.record` adds to one launch; the median over turns, each beside one without. */
export function recordingCost(device: Device): Trial {
  const x = jl.tensor([1]);
  const y = jl.tensor([2]);
  const out = jl.tensor([0]);
  const call = () => jl.add(x, y, { out });
  const bare: number[] = [];
  const recorded: number[] = [];
  // The cost of ending the recording per launch, which no launch waits for.
  const stopped: number[] = [];
  const microseconds = (recording: boolean): number => {
    device.synchronize();
    const open = recording ? jl.startRecording() : undefined;
    const began = performance.now();
    for (let i = 0; i < calls; i++) call();
    const ms = performance.now() - began;
    if (open) {
      open.stop();
      stopped.push(((performance.now() - began - ms) * 1000) / calls);
    }
    return (ms * 1000) / calls;
  };
  const trial = attempt(
    { id: "host/recording", title: "what a recording adds to a launch", unit: "us" },
    () => {
      for (let turn = 0; turn < warmUpTurns + turns; turn++) {
        const [first, second] = [microseconds(turn % 2 === 0), microseconds(turn % 2 !== 0)];
        if (turn < warmUpTurns) continue;
        recorded.push(turn % 2 === 0 ? first : second);
        bare.push(turn % 2 === 0 ? second : first);
      }
      return median(recorded.map((value, i) => value - (bare[i] ?? Number.NaN)));
    },
  );
  const detail = {
    "without a recording": median(bare),
    "with one": median(recorded),
    "at its end": median(stopped),
  };
  return { ...trial, detail };
}
