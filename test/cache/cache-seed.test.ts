import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";

const script = join(import.meta.dirname, "..", "support", "cache-process.mjs");
const commandLine = join(import.meta.dirname, "..", "..", "dist", "kernel", "main.js");
const root = mkdtempSync(join(tmpdir(), "jitlab-seed-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const freshFolder = () => join(root, String(folders++));

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function node(
  args: readonly string[],
  folder: string,
  options: { env?: object; cwd?: string } = {},
): Promise<Ended> {
  return new Promise((done) => {
    const env = { ...process.env, JITLAB_CACHE_DIR: folder, ...options.env };
    const cwd = options.cwd ?? process.cwd();
    execFile(process.execPath, [...args], { env, cwd }, (error, stdout, stderr) =>
      done({ status: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function act(folder: string, action: object, options = {}): Promise<{ said: any; stderr: string }> {
  const { status, stdout, stderr } = await node([script, JSON.stringify(action)], folder, options);
  expect(status, stderr).toBe(0);
  return { said: JSON.parse(stdout), stderr };
}

const jitlab = (folder: string, ...args: string[]) => node([commandLine, ...args], folder);
const origins = (said: any) => said.used.map((one: any) => one.origin);

test("a seed takes kernels of every kind: with scalars, of user functors, of reductions", async () => {
  const library = join(import.meta.dirname, "..", "..", "dist", "runtime", "index.js");
  const seed = join(root, "kinds.seed");
  const program = (then: string) => `const jl = await import(${JSON.stringify(library)}); ${then}`;
  const calls = `const x = jl.rand([8], { device: "cpu" }); x.add(2); jl.jit("float f(float a) { return a; }")(x); x.sum();
    jl.compile((a) => a.sin().mul(0.5))(x);`;
  const run = (folder: string, then: string) =>
    node(["--input-type=module", "--eval", program(then)], folder);
  const exported = await run(
    freshFolder(),
    `${calls} console.log(jl.cache.export(${JSON.stringify(seed)}).kernels);`,
  );
  expect(exported.stderr).toBe("");
  const imported = `console.log(jl.cache.import(${JSON.stringify(seed)}).added); ${calls}
    console.log(jl.cache.status().process.compiled);`;
  expect((await run(freshFolder(), imported)).stdout).toBe(`${exported.stdout}0\n`);
});

describe("a seed file", () => {
  const full = freshFolder();
  const seed = join(root, "kernels.seed");

  test("brings the kernels of one cache into another, with who compiled them", async () => {
    const { said } = await act(full, { action: "use", names: ["alpha", "beta"] });
    const written = await jitlab(full, "cache", "export", seed);
    expect(written.stdout).toMatch(/^Wrote 2 kernels \(\d+(\.\d)? KiB\) to .*kernels\.seed\.\n$/);
    const other = freshFolder();
    const read = await jitlab(other, "cache", "import", seed, "--yes");
    expect(read.stdout).toMatch(/^Added 2 kernels from .*; 0 were already stored\.\n$/);
    const second = await act(other, { action: "use", names: ["beta", "alpha"] });
    expect(origins(second.said)).toEqual(["disk", "disk"]);
    expect(second.said.used.map((one: any) => one.result)).toEqual(["b", "a"]);
    const lists = await Promise.all([full, other].map((folder) => jitlab(folder, "cache", "list", "--json")));
    const [before, after] = lists.map(({ stdout }) =>
      JSON.parse(stdout)
        .map(({ key, pid, createdAt }: any) => ({ key, pid, createdAt }))
        .sort((a: any, b: any) => (a.key < b.key ? -1 : 1)),
    );
    expect(after).toEqual(before);
    expect(said.used).toHaveLength(2);
    expect((await jitlab(other, "cache", "import", seed, "--yes")).stdout).toMatch(
      /^Added 0 kernels .* 2 were already stored/,
    );
  });

  const damage: readonly (readonly [string, (bytes: Buffer) => Buffer, RegExp])[] = [
    ["a foreign file", () => Buffer.from("PK\x03\x04 something else"), /not an export of a kernel cache/],
    ["another gzip file", () => gzipSync('{"format":"x"}\n'), /not an export of a kernel cache/],
    ["an empty file", () => Buffer.alloc(0), /not an export of a kernel cache/],
    ["a cut file", (bytes) => bytes.subarray(0, bytes.length - 40), /is damaged/],
    ["a file with a flipped bit", (bytes) => flipped(bytes), /is damaged|no export/],
    ["one whose end is missing", (bytes) => edited(bytes, (lines) => lines.slice(0, -1)), /is damaged/],
    [
      "one that was edited",
      (bytes) => edited(bytes, (lines) => lines.map((line) => line.replace("uint8", "int16"))),
      /its checksum is wrong/,
    ],
    [
      "one of another version",
      (bytes) => edited(bytes, (lines) => lines.map((line) => line.replace(/"version":\d+/, '"version":99'))),
      /it has format 99, and this jitlab reads \d+\./,
    ],
  ];
  // Each case would cost two more processes with a folder of its own.
  const empty = freshFolder();
  test.each(damage)("%s is refused", async (_, change, why) => {
    const path = join(root, `damaged-${folders++}.seed`);
    writeFileSync(path, change(readFileSync(seed)));
    const { status, stderr, stdout } = await jitlab(empty, "cache", "import", path, "--yes");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^jitlab: .*damaged-\d+\.seed is not imported: /);
    expect(stderr).toMatch(why);
    expect(stdout).toBe("");
  });

  test("none of the refused ones is imported", async () => {
    expect(JSON.parse((await jitlab(empty, "cache", "--json")).stdout).kernels).toBe(0);
  });

  // What a stranger may write: the checksum of all lines is right.
  function forged(change: (module: any) => void): string {
    const lines = gunzipSync(readFileSync(seed)).toString().trimEnd().split("\n").slice(0, -1);
    const module = JSON.parse(lines[1] ?? "");
    change(module);
    lines[1] = JSON.stringify(module);
    const digest = createHash("sha256");
    for (const line of lines) digest.update(`${line}\n`);
    const path = join(root, `forged-${folders++}.seed`);
    const end = JSON.stringify({ sha256: digest.digest("hex") });
    writeFileSync(path, gzipSync(`${lines.join("\n")}\n${end}\n`));
    return path;
  }
  const wrongFields: readonly (readonly [string, (module: any) => void])[] = [
    ["symbol", ({ kernels }) => delete kernels[0].symbol],
    ["key", ({ kernels }) => Object.assign(kernels[0], { key: 5 })],
    ["dtypes", ({ kernels }) => Object.assign(kernels[0], { dtypes: "float32" })],
    ["op", ({ kernels }) => Object.assign(kernels[0], { op: "\u001b[2Jadd" })],
    ["compile time", ({ kernels }) => Object.assign(kernels[0], { compileMs: "soon" })],
    ["kernels", (module) => Object.assign(module, { kernels: null })],
    ["flags", (module) => Object.assign(module, { flags: {} })],
    ["kind", (module) => Object.assign(module, { kind: "abacus" })],
    ["maker", (module) => Object.assign(module, { made: { host: [], pid: -1, createdAt: 1e99 } })],
    ["binary", (module) => Object.assign(module, { binary: {} })],
    ["log", (module) => delete module.log],
  ];
  const used = freshFolder();
  test("is tried where there are kernels", () => act(used, { action: "use", names: ["gamma"] }));

  test.each(wrongFields)("with a wrong %s is refused", async (_, change) => {
    const { status, stderr } = await jitlab(used, "cache", "import", forged(change), "--yes");
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^jitlab: .*forged-\d+\.seed is not imported: the \w+ of a kernel in it is invalid/,
    );
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  test("with wrong fields adds nothing, and leaves the cache alone", async () => {
    const { said } = await act(used, { action: "use", names: ["gamma"] });
    expect(origins(said)).toEqual(["disk"]);
    expect(said.status.kernels).toBe(1);
    expect(readdirSync(used).filter((file) => file.includes("damaged"))).toEqual([]);
  });

  test("says who made it and that it is native code, and asks", async () => {
    const folder = freshFolder();
    const { status, stderr } = await jitlab(folder, "cache", "import", seed);
    expect(status).toBe(1);
    expect(stderr).toContain(`  2 kernels compiled on ${hostname()}, the last `);
    expect(stderr).toContain("They are native code, which runs with your rights");
    expect(stderr).toContain("Add --yes where you trust the file.");
    expect((await jitlab(folder, "cache", "--help")).stdout.replaceAll(/\s+/g, " ")).toContain("native code");
    expect((await jitlab(folder, "cache", "verify", "--yes")).stderr).toContain("never asks");
    const answers = (answer: string) => {
      // A terminal of its own, because the question is not put to a file.
      const command = `JITLAB_CACHE_DIR='${folder}' '${process.execPath}' '${commandLine}' cache import '${seed}'`;
      return execFileSync("script", ["-qec", command, "/dev/null"], {
        input: `${answer}\n`,
        encoding: "utf8",
      });
    };
    expect(answers("n")).toContain("Nothing was imported.");
    expect(answers("y")).toContain("Added 2 kernels");
  });

  test("files that cannot be read or written, and missing or needless names, are told", async () => {
    const folder = freshFolder();
    const said = async (...args: string[]) => (await jitlab(folder, "cache", ...args)).stderr;
    expect(await said("import", join(root, "nowhere.seed"))).toMatch(/nowhere\.seed cannot be read: ENOENT/);
    expect(await said("export", join(root, "no", "where.seed"))).toMatch(/cannot be exported to .*: ENOENT/);
    expect(await said("export")).toMatch(/jitlab cache export needs a file/);
    expect(await said("status", "x.seed")).toMatch(/jitlab cache status takes no file, but got x\.seed/);
  });

  // Compressed text may name the same contents in two ways: a bit that changes nothing is passed over.
  function flipped(bytes: Buffer): Buffer {
    for (let at = bytes.length >> 1; ; at++) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] as number) ^ 1;
      if (contentsOf(copy) !== contentsOf(bytes)) return copy;
    }
  }

  function contentsOf(bytes: Buffer): string {
    try {
      return gunzipSync(bytes).toString("latin1");
    } catch {
      return "";
    }
  }

  function edited(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
    const lines = gunzipSync(bytes).toString().trimEnd().split("\n");
    return gzipSync(`${change(lines).join("\n")}\n`);
  }
});

describe("why a kernel was compiled", () => {
  const request = { name: "kernel", source: "a", dtypes: ["int32"], variant: "contiguous", flags: ["-O1"] };
  const base = { ...request, arch: "x86-64", compiler: "g++ 12", kind: "cpu", symbol: "f" };
  const cases: readonly (readonly [string, object, RegExp])[] = [
    ["dtypes", { dtypes: ["float32"], symbol: "g" }, /other dtypes \(int32 there, float32 here\)$/],
    ["layout", { variant: "strided2", symbol: "g" }, /another layout \(contiguous there, strided2 here\)$/],
    ["architecture", { arch: "arm64" }, /another architecture \(x86-64 there, arm64 here\)$/],
    ["compiler", { compiler: "g++ 13" }, /another build of the compiler \(g\+\+ 12 there, g\+\+ 13 here\)$/],
    ["flags", { flags: ["-O3"] }, /other compiler flags \(without -O1, with -O3\)$/],
    ["text", { source: "b" }, /another text \(line 1 was `a`, is `b`\)$/],
    [
      "device",
      { kind: "cuda", arch: "sm_90", compiler: "nvrtc" },
      /another device \(cpu there, cuda here\)$/,
    ],
    ["op", { op: "other" }, /^no kernel of it was stored$/],
  ];
  test.each(cases)("names another %s", async (_, change, why) => {
    const { said } = await act(freshFolder(), {
      action: "why",
      kernels: [{ ...base, dtypes: ["int64"], compiler: "g++ 9", symbol: "h" }, base, { ...base, ...change }],
    });
    expect(said.why).toMatch(why);
  });

  test("names the functor's own line", async () => {
    const text = (line: string) =>
      `// ${line}\n#line 1 "f"\nfloat f(float x) {\n${line}\n}\n#line 1 "kernel"\n}`;
    const kernels = [
      { ...base, source: text("return x;") },
      { ...base, source: text("return -x;") },
    ];
    const { said } = await act(freshFolder(), { action: "why", kernels });
    expect(said.why).toMatch(/another text \(line 2 was `return x;`, is `return -x;`\)$/);
  });

  test("is asked of memory too, and of a key that is not there", async () => {
    const folder = freshFolder();
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, "");
    const action = { action: "why", kernels: [base, { ...base, source: "b" }] };
    const { said } = await act(folder, action);
    expect(said.why).toMatch(/another text/);
    expect(said.unknown).toBe("");
  });
});

describe("settings", () => {
  test("a relative folder is taken from where the process starts, and a missing one is made", async () => {
    const cwd = freshFolder();
    mkdirSync(cwd, { recursive: true });
    const { said, stderr } = await act("deep/er", { action: "use", names: ["alpha"], cwd: "/" }, { cwd });
    expect(said.status).toMatchObject({ mode: "disk", path: join(cwd, "deep", "er") });
    expect(stderr).toBe("");
    const again = await act(join(cwd, "deep", "er"), { action: "use", names: ["alpha"] });
    expect(origins(again.said)).toEqual(["disk"]);
  });

  test.each(["/proc/nowhere/jitlab", "/dev/null/jitlab"])(
    "%s cannot be made: memory, one warning",
    async (folder) => {
      const { said, stderr } = await act(folder, { action: "use", names: ["alpha", "beta", "alpha"] });
      expect(origins(said)).toEqual(["compiled", "compiled", "disk"]);
      expect(said.status).toMatchObject({ mode: "memory", path: folder });
      expect(stderr.match(/^jitlab: /gm)).toHaveLength(1);
      expect(stderr).toMatch(/ENOENT|ENOTDIR|EACCES/);
    },
  );

  test.each(["0", "-1", "many", "NaN", "1e400G"])("a cap of %s is said once, and 1G is used", async (cap) => {
    const env = { JITLAB_CACHE_MAX_BYTES: cap };
    const { said, stderr } = await act(freshFolder(), { action: "use", names: ["alpha"] }, { env });
    expect(said.status).toMatchObject({ mode: "disk", maxBytes: 2 ** 30, kernels: 1 });
    expect(
      stderr.match(/^jitlab: JITLAB_CACHE_MAX_BYTES is .*not a size such as 500M; 1G is used\.$/gm),
    ).toHaveLength(1);
  });

  test("a database that was opened early is used, unless another folder is chosen until then", async () => {
    const [first, second] = [freshFolder(), freshFolder()];
    const same = await act(first, { action: "early", names: ["alpha"] });
    expect(same.said).toMatchObject({ opened: true, status: { path: first, kernels: 1 } });
    const moved = await act(first, { action: "early", names: ["beta"], moveTo: second });
    expect(moved.said).toMatchObject({ opened: true, status: { path: second, kernels: 1 } });
    const broken = await act("/dev/null/x", { action: "early", names: ["beta"] });
    expect(broken.said).toMatchObject({ opened: false, status: { mode: "memory" } });
    expect(broken.stderr.match(/^jitlab: /gm)).toHaveLength(1);
  });
});
