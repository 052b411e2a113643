// JupyterHub with users of this system: Debian's hub and its proxy, real logins, and single-user servers that run as each user.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { freePort, type RedisServer, startRedis } from "../support/redis.js";
import { findProgram, root } from "./support.js";

/** A user of this system, made for the tests. */
export interface HubUser {
  readonly name: string;
  readonly password: string;
  readonly home: string;
  readonly uid: number;
}

/** A running hub, its users, and what they share. */
export interface Hub {
  readonly url: string;
  readonly folder: string;
  readonly users: readonly HubUser[];
  /** Logs in and waits for the user's server; returns its address. */
  login(page: Page, user: HubUser): Promise<string>;
  stop(): Promise<void>;
}

/** Why the hub is not tested; empty where it can be. */
export const noHub = ((): string => {
  if (userInfo().uid !== 0) return " (skipped: only root can make users)";
  const wanted = [
    "jupyterhub",
    "configurable-http-proxy",
    "jupyterhub-singleuser",
    "redis-server",
    "chromium",
  ];
  const missing = wanted.filter((program) => !findProgram(program));
  if (missing.length > 0) return ` (skipped: ${missing.join(", ")} not installed)`;
  if (runs("nobody", "test", "-r", join(root, "dist/kernel/main.js"))) return "";
  return ` (skipped: other users cannot read ${root})`;
})();

/** True where a program that runs as a user succeeds. */
export function runs(user: string, ...command: readonly string[]): boolean {
  try {
    execFileSync("runuser", ["-u", user, "--", ...command], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const group = "jitlab-class";

/** Starts a hub below a path for users of these names, who share a kernel cache. */
export async function startHub(names: readonly string[]): Promise<Hub> {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-hub-"));
  chmodSync(folder, 0o755);
  const redis = await startRedis();
  const prefix = join(folder, "prefix");
  execFileSync(process.execPath, [join(root, "dist/kernel/main.js"), "install", "--prefix", prefix]);
  execFileSync("groupadd", ["--force", group]);
  const keyFile = join(folder, "group-key");
  writeFileSync(keyFile, randomBytes(32).toString("hex"), { mode: 0o640 });
  execFileSync("chgrp", [group, keyFile]);
  const users = names.map((name) => addUser(name, join(folder, "homes")));
  const [port, hubPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const config = join(folder, "jupyterhub_config.py");
  writeFileSync(config, configOf({ folder, prefix, keyFile, port, hubPort, apiPort, redis }));
  const log: string[] = [];
  // Another Node than Debian's does not know where the modules of Debian's proxy are.
  const proxyEnv = {
    NODE_PATH: "/usr/share/nodejs",
    CONFIGPROXY_AUTH_TOKEN: randomBytes(16).toString("hex"),
  };
  const hub = spawn(findProgram("jupyterhub") ?? "", ["-f", config], {
    cwd: folder,
    env: { ...process.env, ...proxyEnv },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [hub.stdout, hub.stderr]) stream.on("data", (text) => log.push(String(text)));
  const url = `http://127.0.0.1:${port}/school`;
  const stop = async () => {
    await ended(hub);
    await redis.stop();
    for (const { name } of users) removeUser(name);
    execFileSync("groupdel", [group]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  for (let attempt = 0; attempt < 300 && hub.exitCode === null; attempt++) {
    const answer = await fetch(`${url}/hub/api`).catch(() => undefined);
    if (answer?.ok) return { url, folder, users, login: (page, user) => login(url, page, user), stop };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await stop();
  throw new Error(`JupyterHub did not start:\n${log.join("")}`);
}

interface Places {
  readonly folder: string;
  readonly prefix: string;
  readonly keyFile: string;
  readonly port: number;
  readonly hubPort: number;
  readonly apiPort: number;
  readonly redis: RedisServer;
}

// What docs/jupyterhub.md shows, with places of its own. A kernel that nobody looks at ends after some seconds.
function configOf({ folder, prefix, keyFile, port, hubPort, apiPort, redis }: Places): string {
  const environment = {
    JUPYTER_PATH: join(prefix, "share/jupyter"),
    JITLAB_DEVICE: "cpu",
    JITLAB_REMOTE_CACHE: `redis://127.0.0.1:${redis.port}/0`,
    JITLAB_REMOTE_CACHE_KEY_FILE: keyFile,
    PATH: process.env.PATH,
  };
  const culling = ["cull_idle_timeout=5", "cull_interval=2"].map((flag) => `--MappingKernelManager.${flag}`);
  return `
c = get_config()
c.JupyterHub.bind_url = "http://127.0.0.1:${port}/school/"
c.JupyterHub.hub_port = ${hubPort}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:${apiPort}"
c.ConfigurableHTTPProxy.pid_file = "${folder}/proxy.pid"
c.JupyterHub.db_url = "sqlite:///${folder}/hub.sqlite"
c.JupyterHub.cookie_secret_file = "${folder}/cookie-secret"
c.PAMAuthenticator.open_sessions = False
c.Spawner.environment = ${JSON.stringify(environment)}
c.Spawner.default_url = "/tree"
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120
c.Spawner.args = ${JSON.stringify(culling)}
`;
}

function addUser(name: string, homes: string): HubUser {
  mkdirSync(homes, { recursive: true });
  const home = join(homes, name);
  const password = randomBytes(12).toString("hex");
  execFileSync("useradd", [
    "--create-home",
    "--home-dir",
    home,
    "--groups",
    group,
    "--shell",
    "/bin/bash",
    name,
  ]);
  execFileSync("chpasswd", { input: `${name}:${password}\n` });
  return { name, password, home, uid: Number(execFileSync("id", ["-u", name], { encoding: "utf8" })) };
}

function removeUser(name: string): void {
  execFileSync("userdel", ["--force", name], { stdio: "ignore" });
}

async function login(url: string, page: Page, { name, password }: HubUser): Promise<string> {
  await page.goto(`${url}/hub/login`);
  await page.locator("#username_input").fill(name);
  await page.locator("#password_input").fill(password);
  await page.locator("#login_submit").click();
  await page.waitForURL(`${url}/user/${name}/tree*`, { timeout: 120_000 });
  return `${url}/user/${name}`;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const end = new Promise((resolve) => child.once("exit", resolve));
  // The hub ends the users' servers and the proxy.
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  await end;
  clearTimeout(timer);
}
