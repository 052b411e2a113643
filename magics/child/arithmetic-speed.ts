// The floating-point operations per second of a device: measured once with a functor of fused multiply-adds.
import type { Tensor } from "../library.js";
import type { Precision } from "./arithmetic.js";
import { fastest } from "./bandwidth.js";
import type { MagicContext } from "./context.js";

// The work of a launch is far more than its start.
const sizes = { cuda: { elements: 2 ** 23, rounds: 128 }, host: { elements: 2 ** 16, rounds: 32 } };
const chains = 8;
const speeds = new Map<string, number>();

/** Measures the operations per second of a device in a precision; a fused multiply-add counts as two. */
export function arithmeticSpeed(context: MagicContext, device: string, precision: Precision): number {
  const name = `${device} ${precision}`;
  const known = speeds.get(name);
  if (known !== undefined) return known;
  const { jl } = context;
  const { elements: count, rounds } = device.startsWith("cuda") ? sizes.cuda : sizes.host;
  const fused = jl.jit(functorOf(rounds));
  const x = jl.empty([count], { device, dtype: precision }).fill_(0.5);
  const out = jl.empty([count], { device, dtype: precision });
  const call = fused as (x: Tensor, options: { out: Tensor }) => Tensor;
  const seconds = fastest(context, device, () => call(x, { out }));
  x.dispose();
  out.dispose();
  const speed = (2 * chains * rounds * count) / seconds;
  speeds.set(name, speed);
  return speed;
}

// Independent chains, so that an operation does not wait for the one before.
const names = Array.from({ length: chains }, (_, i) => `x${i}`);
const functorOf = (rounds: number) =>
  [
    "template <typename T> T fused_multiply_adds(T x) {",
    ...names.map((own, i) => `  T ${own} = x + T(${i});`),
    ...Array.from(
      { length: rounds },
      () => `  ${names.map((own) => `${own} = fma(${own}, x, x);`).join(" ")}`,
    ),
    `  return ${names.join(" + ")};`,
    "}",
  ].join("\n");
