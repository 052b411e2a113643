// The death of the process that runs the cells, or of its parent.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive, ofType, printed, result, runs, startChecked, until, useKernel } from "../support/kernel.js";
import { processesOf } from "../support/processes.js";

const kernel = useKernel();
const pid = async () => Number(result(await kernel().execute("process.pid")));

const printedTable = (answer: Awaited<ReturnType<ReturnType<typeof kernel>["execute"]>>) =>
  JSON.stringify(ofType(answer, "display_data").map(({ content }) => (content.data as any)["text/plain"]));

describe("a process that dies in a cell", () => {
  it("leaves the cells and the versions of functors to the next one", async () => {
    const version = (factor: string) =>
      `%%kernel kept\ntemplate <typename T> T kept(T x) { return x * ${factor}; }`;
    const sum =
      "%%reduction keptMax --identity -Infinity\ntemplate <typename T> T combine(T a, T b) { return a < b ? b : a; }";
    for (const code of [version("2"), version("3"), sum])
      expect((await kernel().execute(code)).reply.content).toMatchObject({ status: "ok" });
    await kernel().execute("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});");
    await kernel().execute(version("4"));
    const table = printedTable(await kernel().execute("%history kept"));
    expect(table).toContain("kept: 3 versions");
    expect(table).toMatch(/kept@1[\s\S]*kept@2[\s\S]*kept@3/);
    expect(printedTable(await kernel().execute("%diff kept@1 kept@2"))).toContain("return x * 3");
    expect(printedTable(await kernel().execute("%history keptMax"))).toContain("keptMax: 1 version");
    expect(printed(await kernel().execute("%history"), "stdout")).toContain("return x * 2");
    await kernel().execute("%reset");
    await kernel().execute("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});");
    const forgotten = await kernel().execute("%history kept");
    expect(forgotten.reply.content).toMatchObject({ ename: "UsageError" });
  });

  it.each([
    ["SIGKILL", "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});"],
    ["SIGSEGV", "process.kill(process.pid, 'SIGSEGV'); await new Promise(() => {});"],
    ["SIGABRT", "process.abort();"],
  ])(
    "by %s ends its cell with an error, and the next cell runs without its variables",
    async (signal, code) => {
      await kernel().execute("var lost = 5;");
      const answer = await kernel().execute(code);
      expect(answer.reply.content).toMatchObject({ status: "error", ename: "ProcessDied" });
      expect(answer.reply.content.evalue).toContain(`was ended by ${signal}. Its variables`);
      expect(ofType(answer, "error")).toHaveLength(1);
      const next = await kernel().execute("lost");
      expect(next.reply.content).toMatchObject({ ename: "TypeScriptError" });
      expect(result(await kernel().execute("1 + 1"))).toBe("2");
    },
  );

  it("by a functor's wild access names the kernel and shows its text", async () => {
    const answer = await kernel().execute(
      `import * as jl from "jitlab";
       const wild = jl.jit("template <typename T> T wild(T x) { return ((T *)16)[(int)x]; }");
       wild(jl.ones([3], { device: "cpu" }));`,
    );
    expect(answer.reply.content).toMatchObject({ status: "error", ename: "ProcessDied" });
    expect(answer.reply.content.evalue).toMatch(
      /was ended by SIGSEGV in the kernel wild_float32\w*\. Its variables/,
    );
    expect(printed(answer, "stderr")).toContain("return ((T *)16)[(int)x];");
    expect(result(await kernel().execute("1 + 1"))).toBe("2");
  });

  it("loses none of what it printed before", async () => {
    const answer = await kernel().execute(
      "for (let i = 0; i < 20000; i++) console.log(i);\nprocess.kill(process.pid, 'SIGKILL');",
    );
    expect(printed(answer).split("\n").slice(0, -1)).toEqual(
      Array.from({ length: 20000 }, (_, i) => String(i)),
    );
  });

  it("aborts the cells behind it", async () => {
    const cells = ["process.abort()", "1"].map((code) => kernel().sendExecute(code));
    const [, second] = await Promise.all(cells.map(({ answer }) => answer));
    expect(second!.reply.content).toMatchObject({ ename: "Aborted" });
  });

  it("between two cells is said on stderr", async () => {
    let text = "";
    const stop = kernel().onMessage(({ content }) => {
      text += content.name === "stderr" ? content.text : "";
    });
    await kernel().execute("setTimeout(() => process.abort(), 20);");
    await until(() => text.includes("was ended by SIGABRT"));
    expect(result(await kernel().execute("1"))).toBe("1");
    stop();
  });

  it("dies alone: process.exit() only ends its cell", async () => {
    await kernel().execute("var kept = 5;");
    const answer = await kernel().execute("process.exit(3)");
    expect(answer.reply.content).toMatchObject({ status: "error", ename: "ProcessExit" });
    expect(result(await kernel().execute("kept"))).toBe("5");
  });
});

describe("a process that runs out of memory", () => {
  it("ends its cell with an error, and the next cell runs", async () => {
    const { client, broken } = await startChecked({ env: { NODE_OPTIONS: "--max-old-space-size=256" } });
    const answer = await client.execute(
      "const hoard: number[][] = []; for (;;) hoard.push(new Array(100_000).fill(hoard.length));",
    );
    expect(answer.reply.content).toMatchObject({ status: "error", ename: "ProcessDied" });
    expect(answer.reply.content.evalue).toContain("was ended by SIGABRT");
    expect(printed(answer, "stderr")).toContain("JavaScript heap out of memory");
    expect(result(await client.execute("1 + 1"))).toBe("2");
    await client.shutdown();
    expect(broken).toEqual([]);
  });
});

describe("what cells started", () => {
  it("ends with the process that waits for it, and holds nothing open", async () => {
    const child = await pid();
    const cell = kernel().sendExecute(
      'require("child_process").execSync("sleep 612.5", { stdio: "inherit" })',
    );
    await until(() => runs("sleep 612.5"));
    process.kill(child, "SIGKILL");
    expect((await cell.answer).reply.content).toMatchObject({ ename: "ProcessDied" });
    await until(() => !runs("sleep 612.5"));
    expect(result(await kernel().execute("1"))).toBe("1");
  });

  it("ends with the process", async () => {
    const answer = await kernel().execute(
      'require("child_process").spawn("sleep", ["600"], { stdio: "inherit" }).pid',
    );
    const sleeper = Number(result(answer));
    expect(isAlive(sleeper)).toBe(true);
    await kernel().execute("process.abort()");
    await until(() => !isAlive(sleeper));
  });

  it("ends with the process also in a group of its own, unless it was asked to stay", async () => {
    const { client } = await startChecked();
    const start = 'require("child_process").spawn("sleep", ["600"], { detached: true, stdio: "ignore" })';
    const pid = async (code: string) => Number(result(await client.execute(code)));
    const [ends, stays] = [
      await pid(`${start}.pid`),
      await pid(`const child = ${start}; child.unref(); child.pid`),
    ];
    await client.execute("process.abort()");
    await until(() => !isAlive(ends));
    const last = await pid(`${start}.pid`);
    await client.shutdown();
    await until(() => !isAlive(last));
    expect(isAlive(stays)).toBe(true);
    process.kill(stays);
  });

  it("ends in a group of its own when the kernel is killed, also right after it started", async () => {
    const { client } = await startChecked();
    const folder = mkdtempSync(join(tmpdir(), "jitlab-killed-"));
    const cell = client.sendExecute(
      `const { pid } = require("child_process").spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
       require("fs").writeFileSync(${JSON.stringify(join(folder, "pid"))}, String(pid));
       process.kill(process.ppid, "SIGKILL");`,
    );
    cell.answer.catch(() => undefined);
    const pid = () => Number(existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8"));
    await until(() => pid() > 0);
    await until(() => !isAlive(pid()));
    client.close();
    rmSync(folder, { recursive: true });
  });

  it("ends though it left the group by itself, with the process, its kernel, or both", async () => {
    const leaves = (seconds: number) =>
      `require("child_process").execSync("setsid sleep ${seconds} > /dev/null 2>&1 &")`;
    const { client } = await startChecked();
    await client.execute(leaves(614.1));
    await until(() => runs("sleep 614.1"));
    await client.execute("process.abort()");
    await until(() => !runs("sleep 614.1"));
    await client.execute(leaves(614.2));
    await until(() => runs("sleep 614.2"));
    await client.shutdown();
    await until(() => !runs("sleep 614.2"));
    const { client: killed } = await startChecked();
    await killed.execute(leaves(614.3));
    await until(() => runs("sleep 614.3"));
    killed.kill();
    await until(() => !runs("sleep 614.3"));
    killed.close();
  });

  it("goes on where a program that was asked to stay has started it", async () => {
    const { client } = await startChecked();
    const options = '{ detached: true, stdio: "ignore" }';
    await client.execute(
      `require("child_process").spawn("sh", ["-c", "setsid sleep 615.1 & setsid sleep 615.2"], ${options}).unref();`,
    );
    const sleepers = ["sleep 615.1", "sleep 615.2"];
    await until(() => sleepers.every(runs));
    await client.shutdown();
    expect(sleepers.map(runs)).toEqual([true, true]);
    for (const sleeper of sleepers)
      for (const pid of processesOf(sleeper.replace(" ", "\0"))) process.kill(Number(pid));
  });

  it("does not hold a cell back, nor the kernel's end, by holding its stdout in a group of its own", async () => {
    const { client } = await startChecked();
    const answer = await client.execute(
      `const { spawn } = require("child_process");
       const sleeper = spawn("sleep", ["600"], { stdio: "inherit", detached: true });
       sleeper.unref(); sleeper.pid`,
    );
    expect(answer.reply.content).toMatchObject({ status: "ok" });
    await client.execute("process.abort()");
    expect(result(await client.execute("1"))).toBe("1");
    await client.shutdown();
    process.kill(Number(result(answer))); // whoever leaves the group lives on
  });
});

describe("the parent's death", () => {
  it("ends the child, also while it spins and has no chance to notice", async () => {
    const { client } = await startChecked();
    const started = await client.execute(
      'const sleeper = require("child_process").spawn("sleep", ["600"]); [process.pid, sleeper.pid]',
    );
    const pids = JSON.parse(result(started)!) as number[];
    const cell = client.sendExecute("for (;;) {}");
    cell.answer.catch(() => undefined);
    await until(() => cpuTicks(pids[0]!) > 20);
    client.kill();
    await until(() => pids.every((pid) => !isAlive(pid)));
    client.close();
  });

  it("ends the child while it waits for a program, and the program", async () => {
    const { client } = await startChecked();
    const child = Number(result(await client.execute("process.pid")));
    const cell = client.sendExecute('require("child_process").execSync("sleep 613.5")');
    cell.answer.catch(() => undefined);
    await until(() => runs("sleep 613.5"));
    client.kill();
    await until(() => !isAlive(child) && !runs("sleep 613.5"));
    client.close();
  });

  it("follows the death of whoever started the kernel", async () => {
    const module = new URL("../../dist/kernel/cli/client.js", import.meta.url).href;
    const script = `const { startClient } = await import(${JSON.stringify(module)});
      const client = await startClient();
      const { published } = await client.execute("process.pid");
      const value = published.find(({ header }) => header.msg_type === "execute_result");
      console.log(client.kernel.pid, value.content.data["text/plain"]);`;
    const starter = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = await new Promise<string>((resolve) =>
      starter.stdout.once("data", (data) => resolve(String(data))),
    );
    const pids = line.trim().split(" ").map(Number);
    expect(pids.every(isAlive)).toBe(true);
    starter.kill("SIGKILL");
    await until(() => !pids.some(isAlive));
  });

  it("by shutdown ends the child, with a reply that echoes restart", async () => {
    const { client, broken } = await startChecked();
    const child = Number(result(await client.execute("process.pid")));
    const { reply } = await client.request("shutdown_request", { restart: true }, "control");
    expect(reply.content).toEqual({ status: "ok", restart: true });
    expect(await client.kernel!.ended).toBe("The kernel ended with status 0.");
    await until(() => !isAlive(child));
    expect(broken).toEqual([]);
    client.close();
  });
});

describe("at a shutdown", () => {
  const marked = async (code: string) => {
    const { client } = await startChecked();
    const file = join(mkdtempSync(join(tmpdir(), "jitlab-exit-")), "exit");
    await client.execute(
      `process.on("exit", () => { ${code}; require("fs").writeFileSync(${JSON.stringify(file)}, "ran"); });`,
    );
    await client.shutdown();
    const hasRun = existsSync(file);
    rmSync(dirname(file), { recursive: true });
    return hasRun;
  };

  it("what cells do at the exit of their process runs", async () => {
    expect(await marked("0")).toBe(true);
  });

  it("an exit that does not end is ended", async () => {
    expect(await marked("for (;;)")).toBe(false);
  });
});

describe("a signal to the kernel itself", () => {
  it("by Ctrl-C in its terminal interrupts the cell and keeps the variables", async () => {
    await kernel().execute("var kept = 6;");
    let started = false;
    const cell = kernel().sendExecute('console.log("started"); for (;;) {}', {
      onMessage: ({ content }) => {
        started ||= content.text === "started\n";
      },
    });
    await until(() => started);
    kernel().kernel!.kill("SIGINT");
    expect((await cell.answer).reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    expect(result(await kernel().execute("kept"))).toBe("6");
  });

  it("by SIGTERM ends it, and its child in the middle of a loop", async () => {
    const { client } = await startChecked();
    const child = Number(result(await client.execute("process.pid")));
    const cell = client.sendExecute("for (;;) {}");
    cell.answer.catch(() => undefined);
    await until(() => cpuTicks(child) > 20);
    client.kernel!.kill("SIGTERM");
    expect(await client.kernel!.ended).toBe("The kernel ended with status 0.");
    await until(() => !isAlive(child));
    client.close();
  });
});

describe("a child that is killed again and again", () => {
  it("is replaced every time", async () => {
    for (let turn = 0; turn < 10; turn++) {
      const old = await pid();
      process.kill(old, "SIGKILL");
      await until(async () => {
        const answer = await kernel().execute("process.pid");
        return answer.reply.content.status === "ok" && Number(result(answer)) !== old;
      });
    }
  });
});

/** How long a process has computed, in hundredths of a second. */
function cpuTicks(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[13]);
}
