// Runs the steps of the Dockerfile without an image builder: as root, in folders that debootstrap fills like the base
// images. Ends with the container's command, which must answer. `node scripts/dockerfile.mjs [FOLDER]`; it takes minutes.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), "jitlab-image-"));
const certificates = "/etc/ssl/certs/ca-certificates.crt";
// How this machine reaches the package registries.
const network = /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|PIP_CERT|PIP_RETRIES)$/i;
const networkEnv = Object.entries(process.env).filter(([name]) => network.test(name));
// pip's settings may name folders; they are seen in the image too.
const pipSettings = [join(homedir(), ".config/pip/pip.conf"), "/etc/pip.conf"].find((file) =>
  existsSync(file),
);
const pipText = pipSettings === undefined ? "" : readFileSync(pipSettings, "utf8");
const pipFolders = [...pipText.matchAll(/file:\/\/(\S+)/g)].map(([, path]) => dirname(path));
// The larger image has compilers.
const extras = { "node:22-bookworm": "g++,make,python3,git", "node:22-bookworm-slim": "" };

/** The instructions of a Dockerfile: a word and the rest. */
function instructionsOf(text) {
  const lines = text
    .replace(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => /^(\w+)\s+(.*)$/.exec(line).slice(1));
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (error || status !== 0) throw new Error(`${command} ended with ${error?.message ?? status}`);
}

/** A root folder with the contents of a base image: Debian, Node with npm, and the user `node`. */
function baseImage(name, root) {
  if (!(name in extras)) throw new Error(`${name} is not one of ${Object.keys(extras).join(", ")}`);
  const packages = ["ca-certificates", extras[name]].filter((text) => text !== "").join(",");
  // In a space of its own, because it mounts /proc there.
  const debootstrap = ["debootstrap", "--variant=minbase", `--include=${packages}`, "bookworm", root];
  run("unshare", ["--mount", ...debootstrap], { stdio: ["ignore", "ignore", "inherit"] });
  const nodeFolder = join(folder, "node");
  if (!existsSync(nodeFolder)) {
    mkdirSync(nodeFolder);
    writeFileSync(join(nodeFolder, "package.json"), "{}");
    run("npm", ["install", "--silent", "node@22"], { cwd: nodeFolder });
  }
  cpSync(join(nodeFolder, "node_modules/node/bin/node"), join(root, "usr/local/bin/node"));
  const npm = "lib/node_modules/npm";
  const global = execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim();
  cpSync(join(global, "npm"), join(root, "usr/local", npm), { recursive: true });
  symlinkSync(`../${npm}/bin/npm-cli.js`, join(root, "usr/local/bin/npm"));
  if (existsSync(certificates)) cpSync(certificates, join(root, certificates));
  writeFileSync(join(root, "etc/pip.conf"), pipText);
  for (const path of pipFolders) mkdirSync(join(root, path), { recursive: true });
  cpSync("/etc/resolv.conf", join(root, "etc/resolv.conf"), { dereference: true });
  run("chroot", [root, "useradd", "--uid", "1000", "--create-home", "--shell", "/bin/bash", "node"]);
}

/** One stage of the build: its state for the next instruction. */
class Stage {
  env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };
  workdir = "/";
  user = "root";
  shell = ["/bin/sh", "-c"];

  constructor(root) {
    this.root = root;
  }

  /** Runs a command in the root folder; alone with its own loopback where `isolated`. */
  run(words, isolated = false) {
    const home = this.user === "root" ? "/root" : `/home/${this.user}`;
    const env = Object.entries({ HOME: home, ...Object.fromEntries(networkEnv), ...this.env });
    const chroot = [
      "chroot",
      `--userspec=${this.user}`,
      this.root,
      "/usr/bin/env",
      "-i",
      `--chdir=${this.workdir}`,
    ];
    const binds = ["/dev", ...pipFolders].map((path) => `mount --rbind "${path}" "$0${path}"`);
    const mounts = ['mount -t proc proc "$0/proc"', ...binds].join(" && ");
    const script = `${mounts} && ${isolated ? "ip link set lo up && " : ""}exec "$@"`;
    const spaces = ["--mount", ...(isolated ? ["--net"] : [])];
    const inside = [...chroot, ...env.map(([name, value]) => `${name}=${value}`), ...words];
    run("unshare", [...spaces, "/bin/sh", "-c", script, this.root, ...inside]);
  }

  path(place) {
    return join(this.root, resolve(this.workdir, place));
  }
}

const stages = new Map();
let stage;

const steps = {
  FROM(text) {
    const [image, , name = "last"] = text.split(/\s+/);
    stage = new Stage(join(folder, name));
    stages.set(name, stage);
    baseImage(image, stage.root);
  },
  WORKDIR(text) {
    mkdirSync(stage.path(text), { recursive: true });
    stage.workdir = resolve(stage.workdir, text);
  },
  COPY(text) {
    const [, from, source, target] = /^(?:--from=(\S+)\s+)?(\S+)\s+(\S+)$/.exec(text);
    if (from !== undefined) cpSync(stages.get(from).path(source), stage.path(target), { recursive: true });
    else if (source !== ".") throw new Error(`COPY ${text}: only the whole folder is copied here`);
    // Files that git does not ignore: .dockerignore omits the same files.
    else {
      const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
        encoding: "utf8",
      });
      for (const file of files.split("\0"))
        if (file !== "" && existsSync(file)) cpSync(file, join(stage.path(target), file));
    }
  },
  SHELL(text) {
    stage.shell = JSON.parse(text);
  },
  RUN(text) {
    stage.run([...stage.shell, text]);
  },
  ENV(text) {
    for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) {
      stage.env = {
        ...stage.env,
        [name]: value.replaceAll(/\$(\w+)/g, (_, other) => stage.env[other] ?? ""),
      };
    }
  },
  USER(text) {
    stage.user = text;
  },
  EXPOSE(text) {
    stage.port = Number(text);
  },
  /** The command must answer at the exposed port, know the kernel, and the kernel must run a notebook. */
  CMD(text) {
    const command = JSON.parse(text)
      .map((word) => `'${word}'`)
      .join(" ");
    const asks = `const ask = () => fetch("http://127.0.0.1:${stage.port}/api").then((a) => a.json(), () => undefined);
      for (let i = 0; i < 300; i++) { const answer = await ask(); if (answer) { console.log("Jupyter Server", answer.version); process.exit(0); } await new Promise((go) => setTimeout(go, 200)); }
      process.exit(1);`;
    const check = [
      `${command} >/tmp/server.log 2>&1 & server=$!`,
      `node --input-type=module --eval '${asks}' || { cat /tmp/server.log; exit 1; }`,
      "jupyter kernelspec list",
      "jitlab doctor",
      "jitlab run notebooks/01-first-kernel.ipynb --output /tmp/first.ipynb --device cpu",
      "kill $server",
    ].join("\n");
    stage.run(["/bin/bash", "-euo", "pipefail", "-c", check], true);
  },
};

const proven = [];
try {
  for (const [word, text] of instructionsOf(readFileSync("Dockerfile", "utf8"))) {
    console.log(`\n--- ${word} ${text}`);
    const began = performance.now();
    steps[word](text);
    proven.push(`${word} ${text.slice(0, 60)}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  console.log(`\nEvery instruction did what it says:\n${proven.join("\n")}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
