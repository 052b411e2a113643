import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Consumer, environment, folder, installNode, npm, pack } from "./installation.js";

const packed = pack();
const debianPython = "/usr/bin/python3";
const hasNbconvert = spawnSync(debianPython, ["-c", "import nbconvert"]).status === 0;
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

describe("the tarball", () => {
  test("holds what a user needs and nothing else", () => {
    const wanted =
      /^(dist\/(runtime|magics|kernel|assets|typescript|tslab)\/|notebooks\/(\d\d[a-d]?-[\w-]+\.ipynb|\w+\.ts|\w+\.csv\.gz)$|docs\/[\w-]+\.md$|[A-Z_]+(\.md)?$|package\.json$)/;
    expect(packed.paths.filter((path) => !wanted.test(path))).toEqual([]);
    expect(packed.paths.filter((path) => /\.map$|^dist.*(?<!\.d)\.ts$|\.tsbuildinfo$/.test(path))).toEqual(
      [],
    );
    for (const path of ["README.md", "LICENSE", "dist/assets/plotly.min.js", "docs/troubleshooting.md"]) {
      expect(packed.paths).toContain(path);
    }
    for (const path of ["redis-client.cjs", "redis-client.LICENSES.txt"])
      expect(packed.paths).toContain(`dist/runtime/cache/remote/${path}`);
    for (const path of ["temml.cjs", "temml.LICENSE.txt"])
      expect(packed.paths).toContain(`dist/kernel/export/${path}`);
    for (const path of ["LICENSE.txt", "ThirdPartyNoticeText.txt", "lib.es2023.d.ts", "typescript.js"]) {
      expect(packed.paths).toContain(`dist/typescript/${path}`);
    }
    // Half of it is the tutorials with their pictures.
    expect(packed.bytes).toBeLessThan(10e6);
  });

  const npx = (...args: readonly string[]) => npm(process.execPath, folder, "exec", "--yes", "--", ...args);

  test("publint finds nothing", () => {
    expect(npx("publint@0.3.25", packed.tarball, "--strict")).toContain("All good!");
  });

  test("every way of importing it finds its types", () => {
    // It exits with 1 where one of these is not green.
    const text = npx("@arethetypeswrong/cli@0.18.5", packed.tarball, "--profile", "esm-only", "--no-emoji");
    for (const entry of ["jitlab", "jitlab/magics", "jitlab/plot", "jitlab/package.json"])
      expect(text).toContain(`"${entry}"`);
  });
});

const installations = [
  { name: "node-20-consumer", major: 20, flags: [] },
  { name: "node-22-consumer", major: 22, flags: [] },
  { name: "node-24-consumer", major: 24, flags: [] },
  { name: "no-scripts-consumer", major: 24, flags: ["--ignore-scripts"] },
];

describe.each(installations)("installed in an empty folder: $name", ({ name, major, flags }) => {
  let consumer: Consumer;

  beforeAll(() => {
    consumer = new Consumer(name, installNode(major), packed.tarball, ...flags);
  });

  test("doctor finds all that is required, and the page that it names exists", () => {
    const { status, stdout } = consumer.jitlab("doctor", "--json");
    expect(status).toBe(0);
    const { healthy, findings, page } = JSON.parse(stdout);
    expect(healthy).toBe(true);
    expect(findings[0].detail).toContain(`v${major}.`);
    expect(readFileSync(page, "utf8")).toContain("# Troubleshooting");
  });

  test("install writes a kernelspec that starts this copy with this Node", () => {
    const prefix = join(consumer.folder, "prefix");
    expect(consumer.jitlab("install", "--prefix", prefix).status).toBe(0);
    const spec = JSON.parse(readFileSync(join(prefix, "share/jupyter/kernels/jitlab/kernel.json"), "utf8"));
    expect(spec.argv.slice(0, 2)).toEqual([consumer.node, consumer.file("dist/kernel/main.js")]);
  });

  test("run executes the first notebook", () => {
    const page = join(consumer.folder, "first.html");
    const { status, stdout, stderr } = consumer.jitlab(
      ...["run", consumer.file("notebooks/01-first-kernel.ipynb"), "--html", page],
    );
    expect(stderr).toBe("");
    expect(stdout).toContain("kernel compiled");
    expect(status).toBe(0);
    expect(readFileSync(page, "utf8")).toContain("Plotly");
  });

  test("an ES module imports it, a CommonJS module requires it", () => {
    const use = "console.log(jl.arange(3).add(1).toArray().join());";
    expect(consumer.script("use.mjs", `import * as jl from "jitlab"; ${use}`)).toMatchObject({
      ...{ status: 0, stdout: "1,2,3\n", stderr: "" },
    });
    expect(consumer.script("use.cjs", `const jl = require("jitlab"); ${use}`)).toMatchObject({
      ...{ status: 0, stdout: "1,2,3\n" },
    });
  });

  test("the client of Redis needs no package beside it", () => {
    const path = consumer.file("dist/runtime/cache/remote/redis-client.cjs");
    const use = `console.log(new (require(${JSON.stringify(path)}).Redis)({ lazyConnect: true }).status);`;
    expect(consumer.script("redis.cjs", use)).toMatchObject({ status: 0, stdout: "wait\n", stderr: "" });
    expect(existsSync(join(consumer.folder, "node_modules/ioredis"))).toBe(false);
  });

  test.skipIf(!hasNbconvert)("nbconvert (python3-nbconvert) runs the first notebook", () => {
    const prefix = join(consumer.folder, "client");
    consumer.jitlab("install", "--prefix", prefix);
    execFileSync(
      debianPython,
      [
        ...["-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", consumer.folder],
        consumer.file("notebooks/01-first-kernel.ipynb"),
      ],
      {
        env: { ...environment(consumer.node, name), JUPYTER_PATH: join(prefix, "share/jupyter") },
        stdio: "pipe",
      },
    );
    const { cells } = JSON.parse(readFileSync(join(consumer.folder, "01-first-kernel.ipynb"), "utf8"));
    const outputs = cells.flatMap((cell: { outputs?: { output_type: string }[] }) => cell.outputs ?? []);
    expect(outputs.length).toBeGreaterThan(5);
    expect(outputs.map((output: { output_type: string }) => output.output_type)).not.toContain("error");
  });
});

test("installed beside a TypeScript it leaves that one's tsc, and fits in 256 MB", () => {
  const place = join(folder, "typescript-consumer");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), '{ "private": true }');
  npm(process.execPath, place, "install", "typescript@5.9.3");
  npm(process.execPath, place, "install", packed.tarball);
  const version = execFileSync(join(place, "node_modules/.bin/tsc"), ["--version"], { encoding: "utf8" });
  expect(version).toBe("Version 5.9.3\n");
  const [megabytes] = execFileSync("du", ["-sm", join(place, "node_modules")], { encoding: "utf8" }).split(
    "\t",
  );
  expect(Number(megabytes)).toBeLessThan(256);
});

describe("the types", () => {
  let place: string;
  beforeAll(() => {
    place = new Consumer("types-consumer", process.execPath, packed.tarball).folder;
  });

  const program = [
    'import * as jl from "jitlab";',
    'import "jitlab/magics";',
    'import { heatmap, image, line } from "jitlab/plot";',
    'import type { KernelTiming, Tensor } from "jitlab";',
    "const x: Tensor = jl.arange(6).reshape(2, 3).mul(2);",
    'const blend = jl.jit("template <typename T> T blend(T x, T y) { return x + y; }");',
    "const y: Tensor = blend(x, 1);",
    "const scaled = jl.jit((x, { by }) => x * by + jl.math.relu(x), { params: { by: 2 } });",
    "const { low, high } = jl.jit((x, y) => ({ low: Math.min(x, y), high: x > y }))(x, 1);",
    "export const script: Tensor = scaled(low.add(high), { by: 3 });",
    "// @ts-expect-error a function of one tensor takes no second one",
    "scaled(x, x);",
    "const norm = jl.reduction((a, b) => a + b, { identity: 0, map: (v) => v * v });",
    "export const norms: Tensor = norm(x, 1, { keepdim: true });",
    'const raw = jl.rawKernel<[Tensor, number]>("__global__ void raw(float* x, int n) {}", "raw");',
    "export const launch = () => raw({ elements: 4 }, x, 4);",
    "// @ts-expect-error the kernel takes two arguments",
    "export const less = () => raw({ elements: 4 }, x);",
    "const rows: KernelTiming[] = jl.timings();",
    "export const sum: number = rows.length + y.ndim;",
    "x[Symbol.dispose]();",
    "export const mean: number = jl.rand([3]).mean().item() * 2;",
    "export const count: bigint = jl.tensor([1n]).sum().item();",
    'export const wide: Float64Array = jl.zeros([2], { dtype: "float64" }).data();',
    "export const files: (Uint8Array | undefined)[] = [image(x).png(), line(x, { x: x, y: [1, 2] }).png()];",
    "// @ts-expect-error no such colormap",
    'heatmap([[1]], { colormap: "jet" });',
    "// @ts-expect-error a shape is no string",
    'x.reshape("2, 3");',
    "// @ts-expect-error no such operation",
    "x.gdc(y);",
  ].join("\n");
  const resolutions = [
    { module: "NodeNext", moduleResolution: "NodeNext" },
    { module: "ESNext", moduleResolution: "bundler" },
  ];
  const settings = ["5.2", "5.4", "5.7", "5.9", "6.0", "7.0"].flatMap((version) =>
    resolutions.map((resolution) => ({ version, ...resolution })),
  );

  test.each(settings)(
    "TypeScript $version reads them, resolving as $moduleResolution",
    ({ version, ...options }) => {
      const compiler = join(folder, `typescript-${version}`);
      mkdirSync(compiler, { recursive: true });
      npm(process.execPath, compiler, "install", "--prefix", compiler, `typescript@${version}`);
      const source = `consumer-${version}-${options.moduleResolution}`;
      writeFileSync(join(place, `${source}.ts`), program);
      const compilerOptions = {
        ...options,
        // Neither the types of Node nor those of the web.
        ...{ target: "ES2022", lib: ["ES2022"], types: [] },
        ...{ strict: true, noEmit: true, skipLibCheck: false },
      };
      writeFileSync(
        join(place, `${source}.json`),
        JSON.stringify({ compilerOptions, files: [`${source}.ts`] }),
      );
      const checked = spawnSync(
        process.execPath,
        [join(compiler, "node_modules/typescript/bin/tsc"), "-p", `${source}.json`],
        { cwd: place, encoding: "utf8" },
      );
      expect(checked.stdout).toBe("");
      expect(checked.status).toBe(0);
    },
  );
});
