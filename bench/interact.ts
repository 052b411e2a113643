// How many images a second interact() gives a slider that moves on: a Mandelbrot functor of 512 x 512 pixels, whose captured
// parameter changes, through a kernel and a client that waits for each image. `npm run bench:interact -- --device cuda`.

import { Command } from "commander";
import { KernelClient } from "../kernel/cli/client.js";
import type { Message } from "../kernel/protocol/message.js";
import { median } from "../runtime/base/median.js";

const frames = 200;
const setUp = [
  'import * as jl from "jitlab"; import { image } from "jitlab/plot"; import { interact } from "jitlab/widgets";',
  `%%kernel mandelbrot scale=1.0 limit=100 --returns float32
template <typename T> T mandelbrot(T x, T y, T scale, int limit) {
  T re = 0, im = 0;
  for (int i = 0; i < limit; ++i) {
    T next = re * re - im * im + x * scale;
    im = 2 * re * im + y * scale;
    re = next;
    if (re * re + im * im > 4) return T(i);
  }
  return T(limit);
}`,
  `const [u, v] = [jl.linspace(-2, 1, 512).unsqueeze(0), jl.linspace(-1.5, 1.5, 512).unsqueeze(1)];
interact((scale) => image(mandelbrot(u, v, { scale }), { min: 0, max: 100 }), { scale: [0.1, 1] })`,
];

new Command("bench:interact")
  .option("--device <device>", "the kernel's device", "cpu")
  .action(async ({ device }: { device: string }) => {
    const client = await KernelClient.start({ env: { JITLAB_DEVICE: device } });
    try {
      await measure(client);
    } finally {
      await client.shutdown();
    }
  })
  .parse();

async function measure(client: KernelClient): Promise<void> {
  const opened: Message[] = [];
  let arrived: () => void = () => undefined;
  client.onMessage((message) => {
    if (message.header.msg_type === "comm_open") opened.push(message);
    if (message.header.msg_type === "comm_msg" && message.buffers.length > 0) arrived();
  });
  for (const code of setUp) {
    const { reply } = await client.execute(code);
    if (reply.content.status !== "ok") throw new Error(String(reply.content.evalue));
  }
  const slider = opened[0]?.content.comm_id;
  const compiled = () => client.execute('jl.timings().filter(({ op }) => op === "mandelbrot").length');
  const before = await compiled();
  const times: number[] = [];
  for (let i = 0; i < frames; i++) {
    const image = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const began = performance.now();
    const data = { method: "update", state: { value: 0.1 + (0.9 * i) / frames }, buffer_paths: [] };
    client.post({ type: "comm_msg", content: { comm_id: slider, data } });
    await image;
    times.push(performance.now() - began);
  }
  const after = await compiled();
  const kernels = (answer: typeof before) =>
    JSON.stringify(answer.published.find(({ header }) => header.msg_type === "execute_result")?.content.data);
  const ms = median(times);
  console.log(`median ${ms.toFixed(1)} ms, ${(1000 / ms).toFixed(0)} images a second`);
  console.log(`slowest of ${frames}: ${Math.max(...times).toFixed(1)} ms`);
  console.log(`kernels before and after: ${kernels(before)} ${kernels(after)}`);
}
