// Interrupts in the middle of long loops of tensors: the loop's carry is lost, and nothing else.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckedClient, result, startChecked, until } from "../support/kernel.js";

let checked: CheckedClient;

// The loops run once before, so that the interrupt comes while the long one runs, not while its kernels are compiled.
const setUp = `import * as jl from "jitlab";
  const init = jl.ones([8, 8]);
  const w = jl.eye(8).mul(0.5);
  const loops = {
    products: (length: number) => jl.compile((h: jl.Tensor) =>
      jl.scan((x: jl.Tensor) => [x.matmul(w).add(1)], h, undefined, { length }).carry)(init),
    maps: (length: number) => jl.compile((h: jl.Tensor) =>
      jl.scan((x: jl.Tensor) => [x.mul(0.5).add(1)], h, undefined, { length }).carry)(init),
    plain: (length: number) => jl.scan((x: jl.Tensor) => [x.mul(0.5).add(1)], init, undefined, { length }).carry,
    gradient: (length: number) => jl.compile(jl.grad((h: jl.Tensor) =>
      jl.scan((x: jl.Tensor) => [x.matmul(w).tanh()], h, undefined, { length }).carry.sum()))(init),
    while: (most: number) => jl.whileLoop((x) => x.amax().lt(9), (x) => x.mul(0.5).add(1), init, { most }).carry,
    compiledWhile: (most: number) => jl.compile((h: jl.Tensor) =>
      jl.whileLoop((x) => x.amax().lt(9), (x) => x.mul(0.5).add(1), h, { most }).carry)(init),
  };
  const short = () => Object.values(loops).map((loop) => loop(3).sum().item());
  const before = short();`;

/** Runs a loop of so many steps, interrupts it, and gives the answer of its cell. */
async function interrupted(loop: string, steps: number) {
  const { client } = checked;
  let started = false;
  const cell = client.sendExecute(`console.log("started"); loops.${loop}(${steps}).sum().item()`, {
    onMessage: ({ content }) => {
      started ||= String(content.text).startsWith("started");
    },
  });
  await until(() => started);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await client.interrupt();
  return cell.answer;
}

beforeAll(async () => {
  checked = await startChecked();
  const { reply } = await checked.client.execute(setUp);
  expect(reply.content).toMatchObject({ status: "ok" });
});
afterAll(async () => {
  await checked.client.shutdown();
  expect(checked.broken).toEqual([]);
});

describe("an interrupt in the middle of", () => {
  it.each([
    ["a scan that launches each step", "products", 1e8],
    ["a scan in one kernel", "maps", 1e9],
    ["a scan outside of compiled functions", "plain", 3e6],
    ["the gradient of a scan", "gradient", 2e5],
    ["a whileLoop", "while", 1e9],
    ["a whileLoop in a compiled function", "compiledWhile", 1e9],
  ])("%s loses its carry, and nothing else", async (_what, loop, steps) => {
    const { reply } = await interrupted(loop, steps);
    expect(reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    const { client } = checked;
    expect(result(await client.execute("init.sum().item()"))).toBe("64");
    expect(result(await client.execute("JSON.stringify(short()) === JSON.stringify(before)"))).toBe("true");
    expect(result(await client.execute("jl.record(() => init.neg()).launches.map(({ op }) => op)"))).toBe(
      "[ 'neg' ]",
    );
  });
});
