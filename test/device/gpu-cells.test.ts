// Cells that work on a GPU: they are interrupted like others, and output of their kernels arrives.
import { describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { printed, result, until, useKernel } from "../support/kernel.js";

const hasGpu = jl.devices().some(({ kind, available }) => kind === "cuda" && available);

describe.skipIf(!hasGpu)("a cell with a kernel on a GPU (needs a GPU)", () => {
  const kernel = useKernel();

  it("that computes for long is interrupted, and variables and tensors stay", async () => {
    await kernel().execute(
      `import * as jl from "jitlab";
       const x = jl.tensor([1.5], { device: "cuda" });
       const spin = jl.jit("template <typename T> T spin(T x) { for (int i = 0; i < 300000000; i++) x = sin(x) + T(1e-3); return x; }");`,
    );
    let started = false;
    const cell = kernel().sendExecute('const y = spin(x); console.log("started"); y.item()', {
      onMessage: ({ content }) => {
        started ||= content.text === "started\n";
      },
    });
    const behind = kernel().sendExecute("1");
    await until(() => started);
    await kernel().interrupt();
    expect((await cell.answer).reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    expect((await behind.answer).reply.content).toMatchObject({ status: "error", ename: "Aborted" });
    expect(result(await kernel().execute("x.item()"))).toBe("1.5");
  });

  it("shows what the device prints before the cell's reply", async () => {
    const answer = await kernel().execute(
      `const shout = jl.jit('template <typename T> T shout(T x) { printf("says %d\\\\n", int(x)); return x; }');
       shout(jl.tensor([7], { device: "cuda" })).item()`,
    );
    expect(printed(answer)).toBe("says 7\n");
    expect(result(answer)).toBe("7");
  });
});
