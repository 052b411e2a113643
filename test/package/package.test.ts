import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
      /^(dist\/(runtime|magics|kernel|assets)\/|notebooks\/(\d\d-[\w-]+\.ipynb|\w+\.ts)$|docs\/[\w-]+\.md$|[A-Z_]+(\.md)?$|package\.json$)/;
    expect(packed.paths.filter((path) => !wanted.test(path))).toEqual([]);
    expect(packed.paths.filter((path) => /\.map$|^dist.*(?<!\.d)\.ts$|\.tsbuildinfo$/.test(path))).toEqual(
      [],
    );
    for (const path of ["README.md", "LICENSE", "dist/assets/plotly.min.js", "docs/troubleshooting.md"]) {
      expect(packed.paths).toContain(path);
    }
    expect(packed.bytes).toBeLessThan(4e6);
  });

  const npx = (...args: readonly string[]) => npm(process.execPath, folder, "exec", "--yes", "--", ...args);

  test("publint finds nothing", () => {
    expect(npx("publint@0.3.25", packed.tarball, "--strict")).toContain("All good!");
  });

  test("every way of importing it finds its types", () => {
    // It exits with 1 where one of these is not green.
    const text = npx("@arethetypeswrong/cli@0.18.5", packed.tarball, "--profile", "esm-only", "--no-emoji");
    for (const entry of ["jitlab", "jitlab/magics", "jitlab/package.json"])
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

describe("the types", () => {
  const program = [
    'import * as jl from "jitlab";',
    'import type { KernelTiming, Tensor } from "jitlab";',
    "const x: Tensor = jl.arange(6).reshape(2, 3).mul(2);",
    'const blend = jl.jit("template <typename T> T blend(T x, T y) { return x + y; }");',
    "const y: Tensor = blend(x, 1);",
    "const rows: KernelTiming[] = jl.timings();",
    "export const sum: number = rows.length + y.ndim;",
    "// @ts-expect-error a shape is no string",
    'x.reshape("2, 3");',
    "// @ts-expect-error no such operation",
    "x.gdc(y);",
  ].join("\n");
  const settings = [
    { version: "5.0.4", module: "NodeNext", moduleResolution: "NodeNext" },
    { version: "5.0.4", module: "ESNext", moduleResolution: "bundler" },
    { version: "5.9", module: "NodeNext", moduleResolution: "NodeNext" },
  ];

  test.each(settings)(
    "TypeScript $version reads them, resolving as $moduleResolution",
    ({ version, ...options }) => {
      const place = join(folder, "node-22-consumer");
      const compiler = join(folder, `typescript-${version}`);
      mkdirSync(compiler, { recursive: true });
      npm(process.execPath, compiler, "install", "--prefix", compiler, `typescript@${version}`);
      const source = `consumer-${version}-${options.moduleResolution}`;
      writeFileSync(join(place, `${source}.ts`), program);
      const compilerOptions = {
        ...options,
        ...{ target: "ES2022", strict: true, noEmit: true, skipLibCheck: false, types: ["node"] },
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
