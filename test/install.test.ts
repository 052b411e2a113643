import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const main = fileURLToPath(new URL("../dist/kernel/main.js", import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-install-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function jitlab(args: readonly string[], variables: Record<string, string> = {}) {
  const result = spawnSync(process.execPath, [main, ...args], {
    encoding: "utf8",
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: "", JUPYTER_DATA_DIR: "", ...variables },
  });
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

function spec(path: string) {
  return JSON.parse(readFileSync(join(path, "kernel.json"), "utf8"));
}

describe("jitlab install", () => {
  test("writes a kernelspec that starts this copy with this Node, and its pictures", () => {
    const result = jitlab(["install", "--prefix", folder]);
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
      metadata: { kernel_protocol_version: "5.5", jitlab: true },
    });
    expect(readdirSync(installed).sort()).toEqual([
      "kernel.js",
      "kernel.json",
      "logo-32x32.png",
      "logo-64x64.png",
      "logo-svg.svg",
    ]);
  });

  test("takes a name, a display name and variables", () => {
    const result = jitlab([
      ...["install", "--prefix", folder, "--name", "TS-gpu1", "--display-name", "TypeScript, second GPU"],
      ...["--env", "JITLAB_DEVICE=cuda:1", "--env", "EXTRA=a=b"],
    ]);
    expect(result.stderr).toBe("");
    const installed = spec(join(folder, "share", "jupyter", "kernels", "ts-gpu1"));
    expect(installed.display_name).toBe("TypeScript, second GPU");
    expect(installed.env).toEqual({ JITLAB_DEVICE: "cuda:1", EXTRA: "a=b" });
  });

  test.skipIf(process.platform !== "linux").each([
    ["the user's home", [], {}, ".local/share/jupyter"],
    ["--user", ["--user"], { XDG_DATA_HOME: "DIR/data" }, "data/jupyter"],
    ["JUPYTER_DATA_DIR", [], { JUPYTER_DATA_DIR: "DIR/own" }, "own"],
    ["a virtual environment", ["--sys-prefix"], { VIRTUAL_ENV: "DIR/venv" }, "venv/share/jupyter"],
  ])("finds %s", (_name, args, variables, place) => {
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
      \`--user\` installs for you alone, \`--prefix FOLDER\` into a folder of your choice.
      "
    `);
    expect(readFileSync(file, "utf8")).toBe("");
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
});
