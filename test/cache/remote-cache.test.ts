// The shared cache: two cache folders on this machine represent two machines. First the requirements of every transport,
// then server failures.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { act, type Outcome, origins, results, use } from "../support/cache-process.js";
import { until } from "../support/kernel.js";
import { noRedis, type RedisServer, startRedis, startSlowProxy, tlsOptions } from "../support/redis.js";
import { slowCompiler } from "../support/slow-compiler.js";

const root = mkdtempSync(join(tmpdir(), "jitlab-remote-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const secret = "a secret of the group";
let machines = 0;
/** The empty cache folder of another machine. */
const machine = () => join(root, `machine-${machines++}`);
const withRemote = (address: string, env: Record<string, string> = {}) => ({
  env: { JITLAB_REMOTE_CACHE: address, JITLAB_REMOTE_CACHE_KEY: secret, ...env },
});

/** Something to share, and a way to change what it holds behind everybody's back. */
interface Place {
  readonly address: string;
  /** Replaces each row by what a function makes of it and of all rows. */
  change(edit: (row: Buffer, all: readonly Buffer[], index: number) => Buffer): void;
  end(): Promise<void>;
}

async function startFolder(): Promise<Place> {
  const folder = join(root, `shared-${machines++}`);
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  return {
    address: `file://${folder}`,
    change: (edit) => {
      const all = files().map((file) => readFileSync(file));
      for (const [i, file] of files().entries()) writeFileSync(file, edit(all[i]!, all, i));
    },
    end: async () => undefined,
  };
}

async function startServer(): Promise<Place> {
  const server = await startRedis();
  const { Redis } = await import("ioredis");
  // redis-cli's text is no place for bytes.
  const client = new Redis(server.port);
  let pending: Promise<unknown> = Promise.resolve();
  return {
    address: `redis://127.0.0.1:${server.port}/0`,
    change: (edit) => {
      pending = pending.then(async () => {
        const names = await client.keys("*:kernel:*");
        const all = await client.mgetBuffer(names);
        await Promise.all(names.map((name, i) => client.set(name, edit(all[i]!, all as Buffer[], i))));
      });
    },
    end: async () => {
      await pending;
      client.disconnect();
      await server.stop();
    },
  };
}

const noCompiler = findCompiler().path === "" ? " (skipped: no C++ compiler)" : "";
const places = [
  ["a folder", startFolder, noCompiler],
  ["a Redis server", startServer, noCompiler || noRedis],
] as const;

describe.each(places)("%s", (_name, start, skipped) => {
  let place: Place;
  beforeEach(async () => {
    if (!skipped) place = await start();
  });
  afterEach(() => place?.end());
  const run = (names: readonly string[], env: Record<string, string> = {}, folder = machine()) =>
    use(folder, names, withRemote(place.address, env));

  test.skipIf(skipped)(`gives a machine what another compiled${skipped}`, async () => {
    const first = await run(["alpha", "beta"]);
    expect(origins(first)).toEqual(["compiled", "compiled"]);
    const folder = machine();
    const second = await run(["beta", "alpha"], {}, folder);
    expect(origins(second)).toEqual(["remote", "remote"]);
    expect(results(second)).toEqual(["b", "a"]);
    expect(second.status).toMatchObject({ process: { compiled: 0, remote: 2 } });
    expect(origins(await use(folder, ["alpha"]))).toEqual(["disk"]);
    expect([first.stderr, second.stderr]).toEqual(["", ""]);
  });

  test.skipIf(skipped)(`takes nothing that was sealed with another secret${skipped}`, async () => {
    await run(["alpha", "beta"]);
    const stranger = { JITLAB_REMOTE_CACHE_KEY: "a secret of somebody else" };
    const outcome = await run(["alpha", "beta"], stranger);
    expect(origins(outcome)).toEqual(["compiled", "compiled"]);
    expect(outcome.stderr.match(/has a wrong seal/g)).toHaveLength(1);
    expect(outcome.stderr).not.toContain("secret of somebody else");
  });

  const edits: readonly (readonly [string, RegExp, Parameters<Place["change"]>[0]])[] = [
    ["damaged", /wrong seal/, (row) => Buffer.concat([row.subarray(0, -1), Buffer.from([row.at(-1)! ^ 1])])],
    ["cut", /wrong seal/, (row) => row.subarray(0, 100)],
    ["empty", /wrong seal/, () => Buffer.alloc(0)],
    ["moved from other keys", /moved there from another key/, (_, all, i) => all[(i + 1) % all.length]!],
  ];
  test.skipIf(skipped).each(edits)(`never runs rows that are %s${skipped}`, async (_how, told, edit) => {
    await run(["alpha", "beta"]);
    place.change(edit);
    const outcome = await run(["alpha", "beta"]);
    expect(results(outcome)).toEqual(["a", "b"]);
    expect(origins(outcome)).toEqual(["compiled", "compiled"]);
    expect(outcome.stderr).toMatch(told);
    expect(outcome.stderr.trim().split("\n")).toHaveLength(1);
    expect(origins(await run(["alpha", "beta"]))).toEqual(["remote", "remote"]); // they were stored anew
  });

  test.skipIf(skipped)(`lets machines that start at once share the work${skipped}`, async () => {
    const names = [..."abcdefgh"].map((letter) => `${letter}_at_once`);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => run(names)));
    for (const outcome of outcomes) expect(results(outcome).join("")).toBe("abcdefgh");
    const compiled = outcomes.flatMap(origins).filter((origin) => origin === "compiled").length;
    expect(compiled).toBeGreaterThanOrEqual(names.length);
    expect(compiled).toBeLessThan(outcomes.length * names.length);
  });
});

const notRoot = process.getuid?.() === 0 ? "" : " (skipped: only root has other users' processes)";
test.skipIf(noCompiler || notRoot)(`users of one group share a folder${noCompiler || notRoot}`, async () => {
  const open = mkdtempSync(join(tmpdir(), "jitlab-group-"));
  chmodSync(open, 0o777);
  const gid = 6000;
  const shared = join(open, "shared");
  mkdirSync(shared);
  chownSync(shared, 0, gid);
  chmodSync(shared, 0o2770);
  const user = (uid: number, names: readonly string[], ownGid = gid) => {
    const home = join(open, `${uid}-${machines++}`);
    const settings = withRemote(`file://${shared}`, { XDG_STATE_HOME: join(home, "state") });
    return use(join(home, "cache"), names, { uid, gid: ownGid, ...settings });
  };
  try {
    const first = await user(6001, ["alpha"]);
    const second = await user(6002, ["alpha", "beta", "gamma", "delta"]);
    expect(origins(second)).toEqual(["remote", "compiled", "compiled", "compiled"]);
    const third = await user(6001, ["beta", "gamma", "delta", "epsilon"]);
    expect(origins(third)).toEqual(["remote", "remote", "remote", "compiled"]);
    expect([first, second, third].map(({ stderr }) => stderr)).toEqual(["", "", ""]);
    const stranger = await user(6003, ["alpha"], 6003);
    expect(origins(stranger)).toEqual(["compiled"]);
    expect(stranger.stderr).toMatch(/not used for a minute: EACCES/);
  } finally {
    rmSync(open, { recursive: true });
  }
});

describe.skipIf(noCompiler || noRedis)(`a Redis server that fails${noCompiler || noRedis}`, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());
  const address = (port = server.port) => `redis://127.0.0.1:${port}/0`;

  /** Two kernels that nobody has, with the right results and one message at most. */
  async function survives(where: string, message: RegExp | undefined): Promise<Outcome> {
    const outcome = await use(machine(), ["gamma", "delta"], withRemote(where));
    expect(results(outcome)).toEqual(["g", "d"]);
    const lines = outcome.stderr.split("\n").filter((line) => line !== "");
    expect(lines).toHaveLength(message ? 1 : 0);
    if (message) expect(lines[0]).toMatch(message);
    return outcome;
  }

  test("is not used for a while where nothing listens", async () => {
    const outcome = await survives("redis://127.0.0.1:1/0", /not used for a minute: .*ECONNREFUSED/);
    expect(origins(outcome)).toEqual(["compiled", "compiled"]);
  });

  test("is not used for a while where it is stopped", async () => {
    await survives(address(), undefined);
    server.process.kill("SIGSTOP");
    try {
      expect(origins(await use(machine(), ["gamma", "delta"], withRemote(address())))).toEqual([
        "compiled",
        "compiled",
      ]);
    } finally {
      server.process.kill("SIGCONT");
    }
    expect(origins(await survives(address(), undefined))).toEqual(["remote", "remote"]);
  });

  test("may be killed while it is used", async () => {
    const killed = await startRedis();
    const names = [..."abcdef"].map((letter) => `${letter}_killed`);
    const running = use(machine(), names, withRemote(address(killed.port)));
    await until(() => killed.ask("dbsize") !== "0");
    await killed.stop();
    const outcome = await running;
    expect(results(outcome).join("")).toBe("abcdef");
    expect(outcome.stderr.split("\n").length).toBeLessThanOrEqual(2);
  });

  test("wins where it is slow, and compiling is slower", async () => {
    await survives(address(), undefined);
    const proxy = await startSlowProxy(server.port, 15);
    try {
      const { used } = await survives(address(proxy.port), undefined);
      expect(used.map(({ origin }) => origin)).not.toContain("disk");
    } finally {
      proxy.stop();
    }
  });

  test("is asked again where it was restarted, and has forgotten everything", async () => {
    const other = await startRedis();
    await survives(address(other.port), undefined);
    await other.stop();
    const again = await startRedis([], other.port);
    try {
      expect(origins(await survives(address(again.port), undefined))).toEqual(["compiled", "compiled"]);
      expect(origins(await survives(address(again.port), undefined))).toEqual(["remote", "remote"]);
    } finally {
      await again.stop();
    }
  });

  test("that is full still gives what it has", async () => {
    const full = await startRedis();
    try {
      await survives(address(full.port), undefined);
      full.ask("config", "set", "maxmemory", "1");
      expect(origins(await survives(address(full.port), undefined))).toEqual(["remote", "remote"]);
      const outcome = await use(machine(), ["epsilon"], withRemote(address(full.port)));
      expect(origins(outcome)).toEqual(["compiled"]);
      expect(outcome.stderr).toMatch(/stores no kernels .* for a minute: OOM/);
    } finally {
      await full.stop();
    }
  });

  test("that wants a password gets it, and nobody sees it", async () => {
    const locked = await startRedis(["--requirepass", "open-sesame"]);
    try {
      const right = `redis://:open-sesame@127.0.0.1:${locked.port}/0`;
      await survives(right, undefined);
      const outcome = await survives(right, undefined);
      expect(origins(outcome)).toEqual(["remote", "remote"]);
      expect(JSON.stringify(outcome)).not.toContain("open-sesame");
      const refused = await survives(address(locked.port), /not used for a minute: NOAUTH/);
      expect(origins(refused)).toEqual(["compiled", "compiled"]);
      const wrong = `redis://:close-sesame@127.0.0.1:${locked.port}/0`;
      expect((await survives(wrong, /not used for a minute: /)).stderr).not.toContain("sesame");
    } finally {
      await locked.stop();
    }
  });

  test("that speaks TLS is believed where its certificate is known", async () => {
    const { port, certificate, options } = await tlsOptions(mkdtempSync(join(root, "tls-")));
    const tls = await startRedis([...options, "--requirepass", "open-sesame"], 0);
    try {
      const where = `rediss://:open-sesame@127.0.0.1:${port}/0`;
      const stranger = await survives(where, /not used for a minute: self-signed certificate/);
      expect(origins(stranger)).toEqual(["compiled", "compiled"]);
      const known = withRemote(where, { NODE_EXTRA_CA_CERTS: certificate });
      const first = await use(machine(), ["gamma", "delta"], known);
      const second = await use(machine(), ["gamma", "delta"], known);
      expect([first, second].map(origins)).toEqual([
        ["compiled", "compiled"],
        ["remote", "remote"],
      ]);
      expect([first.stderr, second.stderr]).toEqual(["", ""]);
      expect(JSON.stringify([stranger, first, second])).not.toContain("sesame");
      const plain = withRemote(`redis://:open-sesame@127.0.0.1:${port}/0`);
      expect((await use(machine(), ["gamma"], plain)).stderr).toMatch(/not used for a minute: /);
    } finally {
      await tls.stop();
    }
  });

  test("keeps kernels under a prefix, and for a time", async () => {
    server.ask("flushall");
    const lab = withRemote(`${address()}?prefix=lab&ttl=2d`);
    await use(machine(), ["zeta"], lab);
    const keys = server.ask("keys", "*:kernel:*").split("\n");
    expect(keys).toHaveLength(1);
    for (const key of keys) {
      expect(key).toMatch(/^lab:\d+:kernel:[0-9a-f]{64}$/);
      expect(Number(server.ask("ttl", key))).toBeGreaterThan(47 * 3600);
    }
    expect(origins(await use(machine(), ["zeta"], withRemote(address())))).toEqual(["compiled"]);
    expect(origins(await use(machine(), ["zeta"], lab))).toEqual(["remote"]);
  });

  test("gives kernels that were compiled together to who wants one of them, or all", async () => {
    server.ask("flushall");
    // A busy machine would compile before the server answers.
    const options = withRemote(address(), { CXX: slowCompiler(root, 2) });
    const precompile = { action: "precompile", ops: ["add", "sub", "mul", "neg"] };
    const first: any = await act(machine(), precompile, options);
    expect(first.report).toMatchObject({ compiled: 4, cached: 0 });
    const second: any = await act(machine(), precompile, options);
    expect(second.report).toMatchObject({ compiled: 0, cached: 4 });
    const one: any = await act(machine(), { action: "precompile", ops: ["mul"] }, options);
    expect(one.report).toMatchObject({ compiled: 0, cached: 1 });
  });
});

describe("what cannot be understood is told once, and kernels are compiled", () => {
  const keyFile = join(root, "key");
  const cases: readonly (readonly [string, Record<string, string>, string])[] = [
    [
      "no address",
      { JITLAB_REMOTE_CACHE: "http://me:pass@host/" },
      "is not the address of a Redis server or a folder",
    ],
    ["a folder of a host", { JITLAB_REMOTE_CACHE: "file://host/folder" }, "names a host"],
    ["an unknown option", { JITLAB_REMOTE_CACHE: "file:///x?size=5" }, "has the option size"],
    ["a wrong time", { JITLAB_REMOTE_CACHE: "file:///x?ttl=soon" }, "has the option ttl=soon"],
    ["no secret", { JITLAB_REMOTE_CACHE_KEY: "" }, "needs a secret that its group shares"],
    ["a short secret", { JITLAB_REMOTE_CACHE_KEY: "short" }, "of at least 16 characters, and has 5"],
    ["no file", { JITLAB_REMOTE_CACHE_KEY_FILE: "/nowhere" }, "/nowhere, which cannot be read (ENOENT)"],
    ["an open file", { JITLAB_REMOTE_CACHE_KEY_FILE: keyFile }, "whose mode is 644: others could read"],
  ];
  test.skipIf(noCompiler).each(cases)(`%s${noCompiler}`, async (_what, env, told) => {
    writeFileSync(keyFile, secret, { mode: 0o644 });
    const outcome = await use(machine(), ["eta", "theta"], withRemote("file:///nowhere", env));
    expect(results(outcome)).toEqual(["e", "t"]);
    expect(outcome.stderr).toContain(`jitlab: The shared cache is not used. JITLAB_REMOTE_CACHE`);
    expect(outcome.stderr).toContain(told);
    expect(outcome.stderr).not.toMatch(/pass|short\b/);
    expect(outcome.stderr.trim().split("\n")).toHaveLength(1);
  });

  test.skipIf(noCompiler)(`a file holds the secret as well as a variable${noCompiler}`, async () => {
    const address = `file://${join(root, "with-file")}`;
    await use(machine(), ["iota"], withRemote(address));
    const file = join(root, "good-key");
    writeFileSync(file, `${secret}\n`, { mode: 0o640 });
    const env = {
      JITLAB_REMOTE_CACHE: address,
      JITLAB_REMOTE_CACHE_KEY: "",
      JITLAB_REMOTE_CACHE_KEY_FILE: file,
    };
    expect(origins(await use(machine(), ["iota"], { env }))).toEqual(["remote"]);
  });
});

test.skipIf(noCompiler)(`who compiled a kernel is told${noCompiler}`, async () => {
  const address = `file://${join(root, "told")}`;
  await use(machine(), ["kappa"], withRemote(address));
  const folder = machine();
  const { status }: any = await use(folder, ["kappa"], withRemote(address));
  expect(status.remote).toBe(join(root, "told"));
  expect(status.process.remoteSavedMs).toBeGreaterThan(0);
  const listed: any = await act(folder, { action: "list" });
  expect(listed.entries.map((entry: any) => entry.host)).toEqual([hostname()]);
});
