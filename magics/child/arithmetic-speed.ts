// The floating-point operations per second of a device: measured once with a functor of fused multiply-adds.
import { median } from "../../runtime/base/median.js";
import type { Tensor } from "../library.js";
import type { Precision } from "./arithmetic.js";
import type { MagicContext } from "./context.js";

const elements = { cuda: 2 ** 22, host: 2 ** 16 };
const chains = 8;
const rounds = 32;
const launches = 7;
const speeds = new Map<string, number>();

/** Measures the operations per second of a device in a precision; a fused multiply-add counts as two. */
export function arithmeticSpeed(context: MagicContext, device: string, precision: Precision): number {
  const name = `${device} ${precision}`;
  const known = speeds.get(name);
  if (known !== undefined) return known;
  const { jl } = context;
  const fused = jl.jit(functor);
  const count = device.startsWith("cuda") ? elements.cuda : elements.host;
  const x = jl.empty([count], { device, dtype: precision }).fill_(0.5);
  const out = jl.empty([count], { device, dtype: precision });
  const times: number[] = [];
  for (let i = 0; i <= launches; i++) {
    const recording = jl.startRecording({ device: true });
    let us = 0;
    try {
      (fused as (x: Tensor, options: { out: Tensor }) => Tensor)(x, { out });
      jl.synchronize(device);
    } finally {
      us = recording
        .stop()
        .launches.reduce((sum, { deviceUs, phases }) => sum + (deviceUs ?? phases.launchMs * 1e3), 0);
    }
    if (i > 0) times.push(us / 1e6);
  }
  x.dispose();
  out.dispose();
  const speed = (2 * chains * rounds * count) / median(times);
  speeds.set(name, speed);
  return speed;
}

// Independent chains, so that an operation does not wait for the one before.
const names = Array.from({ length: chains }, (_, i) => `x${i}`);
const functor = [
  "template <typename T> T fused_multiply_adds(T x) {",
  ...names.map((own, i) => `  T ${own} = x + T(${i});`),
  ...Array.from({ length: rounds }, () => `  ${names.map((own) => `${own} = fma(${own}, x, x);`).join(" ")}`),
  `  return ${names.join(" + ")};`,
  "}",
].join("\n");
