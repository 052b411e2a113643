import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../dist/kernel/main.js", import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-install-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// `faults` are lines that run before the program and break what it stands on.
function jitlab(
  args: readonly string[],
  variables: Record<string, string> = {},
  faults: readonly string[] = [],
) {
  const preload = join(folder, "preload.cjs");
  const lines = [
    "const fs = require('node:fs');",
    ...faults,
    "require('node:module').syncBuiltinESMExports();",
  ];
  if (faults.length > 0) writeFileSync(preload, lines.join("\n"));
  const flags = faults.length > 0 ? ["--require", preload] : [];
  const result = spawnSync(process.execPath, [...flags, main, ...args], {
    encoding: "utf8",
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: "", JUPYTER_DATA_DIR: "", ...variables },
  });
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

// A PATH on which there is a Jupyter, whatever this machine has.
function pathWithJupyter(): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "jupyter"), "#!/bin/sh\n", { mode: 0o755 });
  return bin;
}

function spec(path: string) {
  return JSON.parse(readFileSync(join(path, "kernel.json"), "utf8"));
}

describe("jitlab install", () => {
  test("writes a kernelspec that starts this copy with this Node, and its pictures", () => {
    const result = jitlab(["install", "--prefix", folder], { PATH: pathWithJupyter() });
    const installed = join(folder, "share", "jupyter", "kernels", "jitlab");
    expect(result).toEqual({
      status: 0,
      stdout: `Installed the kernelspec jitlab in ${installed}\n`,
      stderr: "",
    });
    expect(spec(installed)).toEqual({
      argv: [process.execPath, main, "kernel", "-f", "{connection_file}"],
      display_name: "TypeScript (jitlab)",
      language: "typescript",
      interrupt_mode: "message",
      env: {},
      metadata: { kernel_protocol_version: "5.5", debugger: true, jitlab: true },
    });
    expect(readdirSync(installed).sort()).toEqual([
      "kernel.js",
      "kernel.json",
      "logo-32x32.png",
      "logo-64x64.png",
      "logo-svg.svg",
      "plotly.js",
    ]);
    const extension = join(folder, "share", "jupyter", "labextensions", "jitlab");
    expect(readdirSync(extension, { recursive: true }).sort()).toEqual([
      "install.json",
      "package.json",
      "static",
      "static/remoteEntry.js",
    ]);
    const { version } = JSON.parse(readFileSync(join(extension, "package.json"), "utf8"));
    expect(jitlab(["--version"]).stdout).toBe(`${version}\n`);
    // Another user of a shared prefix reads them too.
    expect(statSync(installed).mode & 0o055).toBe(0o055);
    expect(statSync(extension).mode & 0o055).toBe(0o055);
  });

  test("says that Jupyter is missing, and installs all the same", () => {
    const result = jitlab(["install", "--prefix", folder], { PATH: folder });
    expect(result.status).toBe(0);
    expect(result.stderr).toBe(
      "Note: no Jupyter is on the PATH. `python3 -m venv .venv && .venv/bin/pip install jupyterlab ipywidgets` installs one; VS Code and `jitlab run` need none.\n",
    );
    expect(existsSync(join(folder, "share", "jupyter", "kernels", "jitlab", "kernel.json"))).toBe(true);
  });

  test("takes a name, a display name and variables", () => {
    const result = jitlab([
      ...["install", "--prefix", folder, "--name", "TS-gpu1", "--display-name", "TypeScript, second GPU"],
      ...["--env", "JITLAB_DEVICE=cuda:1", "--env", "EXTRA=a=b"],
    ]);
    expect(result.status).toBe(0);
    const installed = spec(join(folder, "share", "jupyter", "kernels", "ts-gpu1"));
    expect(installed.display_name).toBe("TypeScript, second GPU");
    expect(installed.env).toEqual({ JITLAB_DEVICE: "cuda:1", EXTRA: "a=b" });
  });

  test.skipIf(process.platform !== "linux").each([
    ["the user's home", [], {}, ".local/share/jupyter"],
    ["--user", ["--user"], { XDG_DATA_HOME: "DIR/data" }, "data/jupyter"],
    ["JUPYTER_DATA_DIR", [], { JUPYTER_DATA_DIR: "DIR/own" }, "own"],
    ["a virtual environment", ["--sys-prefix"], { VIRTUAL_ENV: "DIR/venv" }, "venv/share/jupyter"],
  ])("finds %s (where Linux has it)", (_name, args, variables, place) => {
    const absolute = Object.entries(variables).map(([key, value]) => [key, value.replace("DIR", folder)]);
    expect(jitlab(["install", ...args], Object.fromEntries(absolute)).status).toBe(0);
    expect(existsSync(join(folder, place, "kernels", "jitlab", "kernel.json"))).toBe(true);
  });

  test("--sys-prefix without an active environment takes the one of the PATH's jupyter", () => {
    const bin = join(folder, "env", "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "jupyter"), "#!/bin/sh\n", { mode: 0o755 });
    expect(jitlab(["install", "--sys-prefix"], { PATH: bin, VIRTUAL_ENV: "", CONDA_PREFIX: "" }).status).toBe(
      0,
    );
    expect(existsSync(join(folder, "env", "share", "jupyter", "kernels", "jitlab"))).toBe(true);
    const none = jitlab(["install", "--sys-prefix"], { PATH: folder, VIRTUAL_ENV: "", CONDA_PREFIX: "" });
    expect(none.status).toBe(1);
    expect(none.stderr).toMatchInlineSnapshot(`
      "jitlab: No Python environment is active, and neither jupyter nor python3 is on the PATH.
      Activate the environment that holds Jupyter, or use --prefix or --user.
      "
    `);
  });

  test("--sys-prefix keeps JupyterLab's scripts CommonJS in a folder of ES modules", () => {
    const prefix = join(folder, ".venv");
    const script = join(prefix, "share", "script.js");
    mkdirSync(join(prefix, "share"), { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(prefix, "pyvenv.cfg"), "");
    writeFileSync(script, 'console.log(require("node:path").sep);');
    const run = () => spawnSync(process.execPath, [script], { encoding: "utf8" }).stdout;
    const install = () => jitlab(["install", "--sys-prefix"], { VIRTUAL_ENV: prefix }).status;
    expect(run()).toBe("");
    expect(install()).toBe(0);
    expect(run()).toBe("/\n");
    // What somebody wrote there stays.
    const own = '{ "type": "module", "name": "own" }';
    writeFileSync(join(prefix, "package.json"), own);
    expect(install()).toBe(0);
    expect(readFileSync(join(prefix, "package.json"), "utf8")).toBe(own);
  });

  test("replaces an older kernelspec whole and leaves nothing beside it", () => {
    jitlab(["install", "--prefix", folder, "--env", "OLD=1"]);
    const kernels = join(folder, "share", "jupyter", "kernels");
    writeFileSync(join(kernels, "jitlab", "left-over.txt"), "");
    expect(jitlab(["install", "--prefix", folder]).stdout).toContain("Replaced");
    expect(readdirSync(kernels)).toEqual(["jitlab"]);
    expect(existsSync(join(kernels, "jitlab", "left-over.txt"))).toBe(false);
    expect(spec(join(kernels, "jitlab")).env).toEqual({});
  });

  test("refuses to replace or remove another program's kernel", () => {
    const foreign = join(folder, "share", "jupyter", "kernels", "python3");
    mkdirSync(foreign, { recursive: true });
    writeFileSync(
      join(foreign, "kernel.json"),
      JSON.stringify({ display_name: "Python 3", argv: ["python3"] }),
    );
    for (const command of ["install", "uninstall"]) {
      const result = jitlab([command, "--prefix", folder, "--name", "python3"]);
      expect(result.status).toBe(1);
      expect(result.stderr.replaceAll(folder, "PREFIX")).toBe(
        'jitlab: PREFIX/share/jupyter/kernels/python3 holds another program\'s kernel, "Python 3".\n' +
          "Choose another --name, or remove that folder first.\n",
      );
    }
    expect(spec(foreign).display_name).toBe("Python 3");
  });

  test("says why a prefix cannot be written", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const result = jitlab(["install", "--prefix", file]);
    expect(result.status).toBe(1);
    expect(result.stderr.replaceAll(folder, "DIR")).toMatchInlineSnapshot(`
      "jitlab: Cannot write the kernelspec in DIR/file/share/jupyter/kernels: a part of the path is a file.
      \`--user\` installs for you alone, \`--sys-prefix\` into a virtual environment that you activate first.
      "
    `);
    expect(readFileSync(file, "utf8")).toBe("");
  });

  test("leaves no folder behind where it cannot write to the end", () => {
    const result = jitlab(["install", "--prefix", join(folder, "a", "b")], { PATH: folder }, [
      "fs.cpSync = () => { throw Object.assign(new Error(), { code: 'ENOSPC' }); };",
    ]);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("the disk is full");
    expect(readdirSync(folder)).toEqual(["preload.cjs"]);
    // The check runs before anything that an old Node could not load.
    expect(readFileSync(new URL("../../dist/kernel/node-version.js", import.meta.url), "utf8")).not.toContain(
      "import ",
    );
  });

  test("keeps the older kernelspec where the new one cannot take its place", () => {
    jitlab(["install", "--prefix", folder, "--env", "OLD=1"]);
    const kernels = join(folder, "share", "jupyter", "kernels");
    const result = jitlab(["install", "--prefix", folder], {}, [
      "const { renameSync } = fs; let calls = 0;",
      "fs.renameSync = (...args) => { if (++calls === 2) throw Object.assign(new Error(), { code: 'EDQUOT' }); renameSync(...args); };",
    ]);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("the disk quota is used up");
    expect(readdirSync(kernels)).toEqual(["jitlab"]);
    expect(spec(join(kernels, "jitlab")).env).toEqual({ OLD: "1" });
  });

  test("keeps the older kernelspec where the extension cannot be written", () => {
    jitlab(["install", "--prefix", folder, "--env", "OLD=1"]);
    const result = jitlab(["install", "--prefix", folder], {}, [
      "const { cpSync } = fs; let calls = 0;",
      "fs.cpSync = (...args) => { if (++calls === 2) throw Object.assign(new Error(), { code: 'ENOSPC' }); cpSync(...args); };",
    ]);
    expect(result.stderr).toContain("the disk is full");
    const share = join(folder, "share", "jupyter");
    expect(readdirSync(join(share, "kernels"))).toEqual(["jitlab"]);
    expect(readdirSync(join(share, "labextensions"))).toEqual(["jitlab"]);
    expect(spec(join(share, "kernels", "jitlab")).env).toEqual({ OLD: "1" });
  });

  test.skipIf(process.platform !== "linux")("ends where no folder can be made (needs /proc)", () => {
    const result = jitlab(["install", "--prefix", "/proc/self/fd/none"]);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("a part of the path cannot be created");
  });

  test("says where it may not write, and what it can do instead", () => {
    const result = jitlab(["install", "--prefix", folder], {}, [
      "fs.mkdirSync = () => { throw Object.assign(new Error('no'), { code: 'EACCES' }); };",
    ]);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(
      /Cannot write the kernelspec in \S+: permission denied\.\n`--user` installs/,
    );
  });

  test("refuses a folder that is no kernelspec, and one whose kernel.json is damaged", () => {
    const place = join(folder, "share", "jupyter", "kernels", "jitlab");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "mine.txt"), "");
    const foreign = jitlab(["install", "--prefix", folder]);
    expect(foreign.status).toBe(1);
    expect(foreign.stderr).toContain("holds files, but no kernel.json.\nRemove that folder");
    writeFileSync(join(place, "kernel.json"), '{"argv"');
    const damaged = jitlab(["install", "--prefix", folder]);
    expect(damaged.status).toBe(1);
    expect(damaged.stderr).toContain("is not JSON.\nRemove that folder and install again.");
    expect(readdirSync(place).sort()).toEqual(["kernel.json", "mine.txt"]);
  });

  test("refuses an old Node and native modules of another platform, and writes nothing", () => {
    const old = jitlab(["install", "--prefix", folder], {}, [
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });",
    ]);
    expect(old.status).toBe(1);
    expect(old.stderr).toMatch(
      /^jitlab: This is Node v18\.20\.8; jitlab needs 20\.19 or newer\. Install one [^\n]*\n$/,
    );
    const lost = jitlab(["install", "--prefix", folder], {}, [
      "const { Module } = require('node:module'); const { _load } = Module;",
      "Module._load = (id, ...rest) => { if (id === 'zeromq') throw new Error('wrong ELF class'); return _load(id, ...rest); };",
    ]);
    expect(lost.status).toBe(1);
    expect(lost.stderr).toMatch(
      /^jitlab: The native module zeromq does not load: Error: wrong ELF class\n`npm rebuild zeromq`/,
    );
    expect(readdirSync(folder)).toEqual(["preload.cjs"]);
  });

  test("refuses names and variables that cannot work, and two places at once", () => {
    expect(jitlab(["install", "--prefix", folder, "--name", "a b"]).stderr).toContain(
      '"a b" cannot name a kernelspec',
    );
    expect(jitlab(["install", "--prefix", folder, "--env", "NO-EQUALS"]).stderr).toContain("NAME=value");
    expect(jitlab(["install", "--prefix", folder, "--user"]).stderr).toContain("cannot be used with");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("jitlab uninstall", () => {
  test("removes what install wrote, and says where nothing is", () => {
    jitlab(["install", "--prefix", folder]);
    const installed = join(folder, "share", "jupyter", "kernels", "jitlab");
    expect(jitlab(["uninstall", "--prefix", folder]).stdout).toBe(`Removed ${installed}\n`);
    expect(existsSync(installed)).toBe(false);
    const again = jitlab(["uninstall", "--prefix", folder]);
    expect(again.status).toBe(1);
    expect(again.stderr).toContain(`There is no kernelspec in ${installed}.`);
  });

  test("removes the extension with the last kernelspec of a place", () => {
    const extension = join(folder, "share", "jupyter", "labextensions", "jitlab");
    for (const name of ["jitlab", "second"]) jitlab(["install", "--prefix", folder, "--name", name]);
    jitlab(["uninstall", "--prefix", folder]);
    expect(existsSync(extension)).toBe(true);
    jitlab(["uninstall", "--prefix", folder, "--name", "second"]);
    expect(existsSync(extension)).toBe(false);
  });
});
