import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createContext, Script } from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import { CompileError, JitlabError } from "../../dist/runtime/base/errors.js";
import { disassemblyOf, listingOf } from "../../dist/runtime/compiler/listing.js";
import { parseLog } from "../../dist/runtime/compiler/log.js";
import { CompilePool, type Outcome } from "../../dist/runtime/compiler/pool.js";
import { compile, stop, warm } from "../../dist/runtime/compiler/service.js";
import { hostTarget } from "../../dist/runtime/device/cpu/toolchain.js";
import { until } from "../support/kernel.js";
import { isRunning } from "../support/processes.js";

const module = pathToFileURL(join(import.meta.dirname, "..", "support", "scripted-compiler.mjs")).href;
const spec = {
  name: "scripted",
  module,
  path: "here",
  identity: "1",
  textsAtOnce: 2,
  further: "threads",
} as const;
const scripted = (source: string) => compile(spec, { source, flags: [], name: "kernel" });
const caught = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
};

afterEach(stop);

describe("the compile service", () => {
  test("waits for an asynchronous compiler in a synchronous call", () => {
    const output = scripted("sleep 50");
    expect([...output.binary]).toEqual([1, 2, 3]);
    expect(output.log).toBe("sleep 50");
  });

  test("loads a compiler once, early if asked to", () => {
    warm(spec);
    expect(scripted("now").assembly).toBe("made 1, cancelled 0");
    expect(scripted("prepared").assembly).toBe("prepared 1");
    expect(scripted("now").assembly).toBe("made 1, cancelled 0");
  });

  test("passes on a refusal with its log and help", () => {
    const error = caught(() => scripted("refuse")) as CompileError;
    expect(error).toBeInstanceOf(CompileError);
    expect(error.log).toBe("kernel:1:7: error: no\n");
    expect(error.message).toBe("Refused kernel.\nkernel:1:7: error: no\n\nWrite another.");
    expect(scripted("now").log).toBe("now");
  });

  test("says when a compiler cannot be loaded, each time", () => {
    const missing = { ...spec, path: "missing", identity: "2" };
    for (let i = 0; i < 2; i++) {
      const error = caught(() => compile(missing, { source: "", flags: [], name: "kernel" }));
      expect(error).toBeInstanceOf(JitlabError);
      expect(error.message).toMatch(/there is no such compiler/);
    }
  });

  test("does not hang when its worker ends, and starts another", () => {
    expect(caught(() => scripted("exit")).message).toMatch(/worker thread ended/);
    expect(scripted("now").log).toBe("now");
  });

  // What an interrupt does to a cell: the wait ends without any code of ours running.
  const interrupted = (source: string) => {
    const context = createContext({ action: () => scripted(source) });
    const error = caught(() => new Script("action()").runInContext(context, { timeout: 100 }));
    expect(error.message).toMatch(/timed out/);
  };

  test("cancels a compile whose waiting was interrupted, and serves the next one", () => {
    scripted("now");
    interrupted("sleep 60000");
    const next = scripted("sleep 10");
    expect(next.log).toBe("sleep 10");
    expect(next.assembly).toBe("made 1, cancelled 1");
  });

  test("gives up a worker that an interrupted compile keeps busy", () => {
    scripted("now");
    // Who waited for that one would wait beyond the end of the test.
    interrupted("block 300000");
    expect(scripted("sleep 10").assembly).toBe("made 1, cancelled 0");
  });

  test("does not keep the process alive", async () => {
    const service = new URL("../../dist/runtime/compiler/service.js", import.meta.url).href;
    const script = `const { compile, warm } = await import(${JSON.stringify(service)});
      const spec = ${JSON.stringify(spec)};
      warm(spec);
      console.log(compile(spec, { source: "now", flags: [], name: "k" }).log);`;
    const output = await new Promise((done, fail) => {
      execFile(
        process.execPath,
        ["--input-type=module", "-e", script],
        { timeout: 20_000 },
        (error, stdout) => (error ? fail(error) : done(stdout)),
      );
    });
    expect(output).toBe("now\n");
  });
});

describe.each([
  ["in threads of its own", 0, "threads"],
  ["in the service's thread", 2, "threads"],
  ["in both", 1, "threads"],
  ["in processes", 0, "processes"],
] as const)("a pool of compilers %s", (_, together, further) => {
  const own = { ...spec, together, further };
  const request = (source: string) => ({ source, flags: [], name: "kernel" });

  test("works on several texts at once and gives each outcome under its id", () => {
    const compilers = new CompilePool(2, together, further);
    compilers.submit(1, own, request("sleep 300"));
    compilers.submit(2, own, request("refuse"));
    expect([compilers.hasIdle, compilers.isBusy]).toEqual([false, true]);
    const first = compilers.next();
    expect(first).toMatchObject({ id: 2, error: { code: "compile-failed", log: "kernel:1:7: error: no\n" } });
    compilers.submit(3, own, request("sleep 1"));
    const ids = [compilers.next(), compilers.next()].map((outcome) => [outcome.id, "compiled" in outcome]);
    expect(ids.sort()).toEqual([
      [1, true],
      [3, true],
    ]);
    expect([compilers.hasIdle, compilers.isBusy]).toEqual([true, false]);
    compilers.stop();
  });

  test("replaces a worker that ended", () => {
    const compilers = new CompilePool(1, together, further);
    compilers.submit(1, own, request("exit"));
    expect(compilers.next()).toMatchObject({ id: 1, error: { code: "compiler-failed" } });
    compilers.submit(2, own, request("now"));
    expect(compilers.next()).toMatchObject({ id: 2, compiled: { log: "now" } });
    compilers.stop();
  });
});

describe("a pool of more texts than its thread takes, whose further ones go to processes", () => {
  const own = { ...spec, further: "processes" } as const;
  const request = (source: string) => ({ source, flags: [], name: "kernel" });
  const failed = {
    error: { code: "compiler-failed", message: expect.stringContaining("compiler process ended") },
  };
  const pidOf = (outcome: Outcome) => Number("compiled" in outcome && outcome.compiled.assembly);
  /** A pool with one text in this process and one in another, and that one's number. */
  const withProcess = () => {
    const compilers = new CompilePool(3, 2, "processes");
    compilers.submit(1, own, request("sleep 60000"));
    compilers.submit(2, own, request("pid 200"));
    const pid = pidOf(compilers.next());
    expect(pid).not.toBe(process.pid);
    return { compilers, pid };
  };

  test("compiles one of them in this process", () => {
    const compilers = new CompilePool(3, 2, "processes");
    for (const id of [1, 2, 3]) compilers.submit(id, own, request("pid 200"));
    const pids = [1, 2, 3].map(() => pidOf(compilers.next()));
    expect(pids.filter((pid) => pid === process.pid)).toHaveLength(1);
    compilers.stop();
  });

  test("answers for a process that was killed in its work, and replaces it", () => {
    const { compilers, pid } = withProcess();
    compilers.submit(3, own, request("sleep 60000"));
    process.kill(pid, "SIGKILL");
    expect(compilers.next()).toMatchObject({ id: 3, ...failed });
    compilers.submit(4, own, request("now"));
    expect(compilers.next()).toMatchObject({ id: 4, compiled: { log: "now" } });
    compilers.stop();
  });

  test("ends them with their work when it is stopped", async () => {
    const { compilers, pid } = withProcess();
    compilers.submit(3, own, request("sleep 60000"));
    compilers.stop();
    await until(() => !isRunning(pid));
  });
});

describe("several texts in the service's thread", () => {
  const request = (source: string) => ({ source, flags: [], name: "kernel" });

  test("all get an outcome when the thread ends", () => {
    const shared = new CompilePool(3, 3, "threads");
    for (const [id, source] of ["sleep 60000", "exit", "sleep 60000"].entries())
      shared.submit(id, spec, request(source));
    const failed = { error: { code: "compiler-failed" } };
    expect([shared.next(), shared.next(), shared.next()]).toMatchObject([failed, failed, failed]);
    expect(shared.isBusy).toBe(false);
  });

  test("are cancelled when it is stopped, and single ones are compiled meanwhile", () => {
    const shared = new CompilePool(2, 2, "threads");
    shared.submit(1, spec, request("sleep 60000"));
    expect(scripted("now").assembly).toBe("made 1, cancelled 0");
    shared.stop();
    expect(scripted("sleep 10").assembly).toBe("made 1, cancelled 1");
    expect(shared.isBusy).toBe(false);
  });
});

describe("several texts in the service's thread, one of which holds it up", () => {
  test("are given up with the thread when they are stopped", () => {
    const request = (source: string) => ({ source, flags: [], name: "kernel" });
    const shared = new CompilePool(2, 2, "threads");
    shared.submit(1, spec, request("sleep 60000"));
    shared.submit(2, spec, request("block 3000"));
    shared.stop();
    // Another thread, which has cancelled nothing.
    expect(scripted("now").assembly).toBe("made 1, cancelled 0");
  });
});

describe("a listing of several kernels", () => {
  test("of machine code is cut to one, in the form of nvdisasm and of cuobjdump", () => {
    const heading = (name: string) => `//--------------------- .text.${name} --------------------------\n`;
    const nvdisasm = `\t.headerflags\n${heading("add")}\tADD ;\n${heading("add_one")}\tONE ;\n`;
    expect(disassemblyOf("add", nvdisasm)).toBe(`${heading("add")}\tADD ;\n`);
    expect(disassemblyOf("add_one", nvdisasm)).toBe(`${heading("add_one")}\tONE ;\n`);
    const cuobjdump = "code for sm_90\n\t\tFunction : add\n\tADD ;\n\t\tFunction : mul\n\tMUL ;\n";
    expect(disassemblyOf("mul", cuobjdump)).toBe("\t\tFunction : mul\n\tMUL ;\n");
    expect(disassemblyOf("other", cuobjdump)).toBe(cuobjdump);
  });

  test("of PTX keeps what the kernel calls and reads, and no more", () => {
    const entry = (name: string, body: string) =>
      `.visible .entry ${name}(\n\t.param .b8 p[8]\n)\n{\n${body}\n}\n`;
    const ptx = [
      ".version 9.0\n.target sm_90\n.address_size 64\n",
      ".global .align 4 .b8 table[8] = {1, 2};",
      ".global .align 4 .b8 other[8] = {3, 4};",
      ".func  (.param .b32 r) helper(\n\t.param .b32 x\n)\n{\n\tld.global table;\n}\n",
      entry("first", "\tcall (r), helper, (x);"),
      entry("second", "\tld.global other;"),
    ].join("\n");
    const first = listingOf("first", ptx);
    expect(first).toMatch(/^\.version 9\.0\n\.target sm_90/);
    for (const name of ["table", "helper", "first"]) expect(first).toContain(name);
    for (const name of ["other", "second"]) expect(first).not.toContain(name);
    expect(listingOf("second", ptx)).not.toMatch(/helper|table|first/);
    expect(listingOf("third", ptx)).toBe(ptx);
  });

  test("of WebAssembly keeps what the kernel calls, and no more", () => {
    const section = (name: string, body: string) =>
      `\t.section\t.text.${name},"",@\n${name}: # @${name}\n\t.functype\t${name} (i32) -> ()\n${body}\tend_function\n`;
    const text = [
      '\t.file\t"kernel.cpp"\n\t.functype\tsquare (i32) -> ()\n\t.functype\thelper (i32) -> ()\n',
      section("square", "\tcall\thelper\n"),
      section("helper", "\ti32.const\t.Ltable\n"),
      section("cube", "\tcall\tother\n"),
      section("other", ""),
      '\t.section\t.rodata..Ltable,"",@\n.Ltable:\n\t.int32\t1\n',
      '\t.section\t.custom_section.target_features,"",@\n\t.int8\t1\n',
    ].join("");
    const square = listingOf("square", text);
    expect(square).toMatch(/^\t\.file\t"kernel\.cpp"\n\t\.section\t\.text\.square,/);
    for (const name of ["helper", ".Ltable"]) expect(square).toContain(`${name}:`);
    expect(square).not.toMatch(/cube|other|target_features/);
    expect(listingOf("cube", text)).not.toMatch(/square|helper|table/);
  });
});

describe("the host's compiler", () => {
  const target = hostTarget();

  test("gives a shared object and the assembly it was made of", () => {
    const source = 'extern "C" double twice(double x) { return x + x; }';
    const { binary, assembly } = compile(target.compiler, { source, flags: target.flags, name: "twice" });
    expect(Buffer.from(binary.subarray(0, 4)).toString("latin1")).toBe("\x7fELF");
    expect(assembly).toMatch(/^twice:/m);
  });

  test("refuses with lines that can be read, in English whatever the locale", () => {
    const source = "int f() {\n  return undeclared;\n}\n";
    const error = caught(() =>
      compile(target.compiler, { source, flags: target.flags, name: "my op" }),
    ) as CompileError;
    expect(error.message).toMatch(/rejected the kernel \(exit status 1\)/);
    const [first] = parseLog(error.log).filter(({ severity }) => severity === "error");
    expect(first).toMatchObject({ file: "my_op.cpp", line: 2, column: 10 });
    expect(first?.message).toMatch(/undeclared/);
  });

  test("a compiler that is not there or is killed is told apart from a refusal", () => {
    const request = { source: "", flags: [], name: "k" };
    const gone = { ...target.compiler, path: "/nowhere/c++", identity: "gone" };
    expect(caught(() => compile(gone, request)).message).toMatch(/\/nowhere\/c\+\+ did not start: .*ENOENT/);
    const killed = { ...target.compiler, path: "/bin/sh", identity: "killed" };
    const flags = ["-c", "kill -KILL $$"];
    expect(caught(() => compile(killed, { ...request, flags })).message).toMatch(
      /was killed by SIGKILL\.\nTry again\. The machine may be out of memory/,
    );
  });
});

describe("logs", () => {
  test("of g++ and clang++", () => {
    const log = [
      "In[3]: In instantiation of 'T f(T) [with T = float]':",
      "In[3]:2:5: warning: unused variable 'y' [-Wunused-variable]",
      "In[3]:4:12: error: expected ';' before '}' token",
      "    4 |   return x }",
      "kernel:90: note: candidates are:",
      "k.cpp:1:10: fatal error: nothing.h: No such file or directory",
    ].join("\n");
    expect(parseLog(log)).toEqual([
      {
        file: "In[3]",
        line: 2,
        column: 5,
        severity: "warning",
        message: "unused variable 'y' [-Wunused-variable]",
      },
      { file: "In[3]", line: 4, column: 12, severity: "error", message: "expected ';' before '}' token" },
      { file: "kernel", line: 90, severity: "note", message: "candidates are:" },
      {
        file: "k.cpp",
        line: 1,
        column: 10,
        severity: "error",
        message: "nothing.h: No such file or directory",
      },
    ]);
  });

  test("of NVRTC, with the column of its caret", () => {
    const log = [
      'k.cu(2): error: identifier "foo" is undefined',
      "        float y = foo(x[0]);",
      "                  ^",
      "",
      'In[3](7): warning #177-D: variable "z" was declared but never referenced',
      "   int z;",
      "       ^",
      "",
      'In[3](9): error: expected a ";"',
      '2 errors detected in the compilation of "k.cu".',
    ].join("\n");
    expect(parseLog(log)).toEqual([
      { file: "k.cu", line: 2, column: 17, severity: "error", message: 'identifier "foo" is undefined' },
      {
        file: "In[3]",
        line: 7,
        column: 6,
        severity: "warning",
        message: 'variable "z" was declared but never referenced',
      },
      { file: "In[3]", line: 9, severity: "error", message: 'expected a ";"' },
    ]);
  });
});
