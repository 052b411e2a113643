// A consumer of the package: the tarball, a Node of some version from npm, and an empty folder with an empty home.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folder in which everything of a run lies. */
export const folder = mkdtempSync(join(tmpdir(), "jitlab-package-"));

const npmProgram = join(
  execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim(),
  "npm/bin/npm-cli.js",
);

// The user's registry and cache of packages, and nothing else of the user's.
const npmSettings = {
  npm_config_userconfig: join(homedir(), ".npmrc"),
  npm_config_cache: execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim(),
  npm_config_fund: "false",
  npm_config_audit: "false",
  npm_config_loglevel: "error",
};

/** What `npm pack` makes of this working copy: the tarball and the paths in it. */
export function pack(): {
  readonly tarball: string;
  readonly bytes: number;
  readonly paths: readonly string[];
} {
  const text = npm(
    process.execPath,
    root,
    "pack",
    "--ignore-scripts",
    "--json",
    "--pack-destination",
    folder,
  );
  const [{ filename, size, files }] = JSON.parse(text);
  return {
    tarball: join(folder, filename),
    bytes: size,
    paths: files.map((file: { path: string }) => file.path),
  };
}

/** Runs npm by a given Node, in a folder, with an empty home. */
export function npm(node: string, cwd: string, ...args: readonly string[]): string {
  return execFileSync(node, [npmProgram, ...args], {
    cwd,
    encoding: "utf8",
    env: environment(node),
    timeout: 180_000,
  });
}

/** The environment of a user whose home was empty and whose PATH begins with a given Node. */
export function environment(node: string, user = "nobody"): NodeJS.ProcessEnv {
  const home = join(folder, "homes", user);
  mkdirSync(home, { recursive: true });
  const { JITLAB_CACHE_DIR, XDG_CACHE_HOME, XDG_DATA_HOME, JUPYTER_DATA_DIR, NODE_OPTIONS, ...rest } =
    process.env;
  const path = [dirname(node), rest.PATH].join(delimiter);
  return { ...rest, PATH: path, HOME: home, JITLAB_DEVICE: "cpu", ...npmSettings };
}

/** A Node of a major version, installed from npm's package `node`. */
export function installNode(major: number): string {
  const place = join(folder, `node-${major}`);
  const node = join(place, "node_modules/node/bin/node");
  if (existsSync(node)) return node;
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), "{}");
  npm(process.execPath, place, "install", `node@${major}`);
  return node;
}

/** An empty folder in which the tarball was installed by a Node. */
export class Consumer {
  readonly folder: string;

  constructor(
    readonly name: string,
    readonly node: string,
    tarball: string,
    ...flags: readonly string[]
  ) {
    this.folder = join(folder, name);
    mkdirSync(this.folder);
    writeFileSync(join(this.folder, "package.json"), '{ "private": true, "type": "module" }');
    npm(node, this.folder, "install", ...flags, tarball);
  }

  /** The path of a file of the installed package. */
  file(path: string): string {
    return join(this.folder, "node_modules/jitlab", path);
  }

  /** Runs the installed command from a folder of no meaning. */
  jitlab(...args: readonly string[]) {
    return this.run([join(this.folder, "node_modules/.bin/jitlab"), ...args], tmpdir());
  }

  /** Writes a file beside the installation and runs it. */
  script(name: string, text: string) {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return this.run([path], this.folder);
  }

  private run(args: readonly string[], cwd: string) {
    return spawnSync(this.node, args, { cwd, encoding: "utf8", env: environment(this.node, this.name) });
  }
}
