// On the wasm device a functor cannot harm the process: an interrupt stops an endless one, an access out of bounds ends only
// its cell, and other cells' tensors stay.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckedClient, ofType, plain, result, startChecked, until } from "../support/kernel.js";

let checked: CheckedClient;

beforeAll(async () => {
  checked = await startChecked({ env: { JITLAB_DEVICE: "wasm" } });
  const { reply } = await checked.client.execute(`
    import * as jl from "jitlab";
    const kept = jl.ones([3]).add(1);
    const forever = jl.jit("template <typename T> T forever(T x) { volatile T y = x; for (;;) y = y + T(1); return y; }");
    const astray = jl.jit("template <typename T> T astray(T x) { volatile T* far = (volatile T*)(~0u & ~15u); return *far + x; }");
    const deep = jl.jit("int deeper(int n) { volatile int here[64]; here[n % 64] = n; return deeper(n + here[0] + 1) + here[1]; } int deep(int x) { return deeper(x); }");
    // A call that ends at once compiles what the others then launch.
    jl.empty([0]).add(1);
    for (const f of [forever, astray]) f(jl.empty([0]));
  `);
  expect(reply.content).toMatchObject({ status: "ok" });
});
afterAll(async () => {
  await checked.client.shutdown();
  expect(checked.broken).toEqual([]);
});

/** Runs a cell that prints "started", and interrupts it some time after. */
async function interrupted(code: string) {
  const { client } = checked;
  let started = false;
  const cell = client.sendExecute(code, {
    onMessage: ({ header, content }) => {
      started ||= String(content.text).startsWith("started") || header.msg_type === "error";
    },
  });
  await until(() => started);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await client.interrupt();
  return cell.answer;
}

describe("a functor that never ends", () => {
  // One element runs on the cell's thread, many on all threads.
  it.each([1, 3_000_000])("is stopped by an interrupt: %i elements", async (count) => {
    for (let turn = 0; turn < 3; turn++) {
      const { reply } = await interrupted(
        `{ const x = jl.ones([${count}]); console.log("started"); forever(x); }`,
      );
      expect(reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
      expect(result(await checked.client.execute("kept.toArray()"))).toBe("[ 2, 2, 2 ]");
      const again = await checked.client.execute("jl.ones([3_000_000]).add(kept.at(0)).sum().item()");
      expect(result(again)).toBe("9000000");
    }
  });
});

describe("a functor that runs away", () => {
  it.each(["astray(jl.ones([1]))", "astray(jl.ones([3_000_000]))", "deep(jl.ones([1], { dtype: 'int32' }))"])(
    "ends its cell with an error: %s",
    async (code) => {
      const answer = await checked.client.execute(code);
      const [error] = ofType(answer, "error");
      expect(plain(error?.content.traceback)).toMatch(/was stopped on the device wasm: .*\. Its functor:\n/s);
      expect(result(await checked.client.execute("kept.toArray()"))).toBe("[ 2, 2, 2 ]");
      const again = await checked.client.execute("jl.ones([3_000_000]).add(kept.at(0)).sum().item()");
      expect(result(again)).toBe("9000000");
    },
  );
});
