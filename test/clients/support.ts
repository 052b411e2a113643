// What the tests with real clients share: an installed kernelspec, the clients that are on this machine, a browser and
// a Jupyter server.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const debianPython = "/usr/bin/python3";
const screenshots = join(root, "build", "screenshots");

/** A folder of its own with the kernel installed, and the environment in which clients find it. */
export interface Workplace {
  readonly folder: string;
  readonly env: Record<string, string | undefined>;
  remove(): void;
}

export function createWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-client-"));
  const prefix = join(folder, "prefix");
  execFileSync(process.execPath, [join(root, "dist/kernel/main.js"), "install", "--prefix", prefix]);
  const env = {
    ...process.env,
    HOME: folder,
    JITLAB_DEVICE: "cpu",
    JUPYTER_PATH: join(prefix, "share", "jupyter"),
    JUPYTER_PREFER_ENV_PATH: "0",
  };
  return { folder, env, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** True where Debian's Python has a module. */
export function hasPythonModule(name: string): boolean {
  try {
    execFileSync(debianPython, ["-c", `import ${name}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The path of a program, looked for in the CI's environment and on the PATH. */
export function findProgram(name: string): string | undefined {
  const folders = [join(root, "build/venv/bin"), ...(process.env.PATH ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Debian's Chromium, headless, without traffic of its own. */
export async function launchBrowser(): Promise<Browser> {
  const quiet = [
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({
    executablePath: findProgram("chromium") ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", ...quiet],
  });
}

/** Keeps pictures of the whole page, one below the other, each `height` high. */
export async function longScreenshot(page: Page, name: string, height = 2400): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  const [width, all] = (await page.evaluate(
    "[document.documentElement.clientWidth, document.documentElement.scrollHeight]",
  )) as [number, number];
  for (let y = 0; y < all; y += height) {
    const clip = { x: 0, y, width, height: Math.min(height, all - y) };
    const path = join(screenshots, `${name}-${y / height + 1}.png`);
    await page.screenshot({ path, fullPage: true, clip });
  }
}

/** Keeps a picture of the page as an artefact of the run. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), animations: "disabled" });
}

/** A notebook of code cells for this kernel. */
export function writeCells(path: string, cells: readonly string[]): void {
  writeFileSync(
    path,
    JSON.stringify({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {
        kernelspec: { name: "jitlab", display_name: "TypeScript (jitlab)", language: "typescript" },
      },
      cells: cells.map((source, index) => ({
        ...{
          cell_type: "code",
          id: `cell-${index}`,
          metadata: {},
          execution_count: null,
          outputs: [],
          source,
        },
      })),
    }),
  );
}

/** A running Jupyter server. */
export interface Server {
  readonly url: string;
  /** What it wants to be told. */
  readonly token?: string | undefined;
  stop(): Promise<void>;
}

/** Where a server is found below its origin, and its token. */
export interface Access {
  readonly path: string;
  readonly token: string;
}

/** Starts a server in the workplace and waits until it answers. */
export async function startServer(
  program: string,
  flags: readonly string[],
  place: Workplace,
  { path, token }: Partial<Access> = {},
): Promise<Server> {
  const port = await freePort();
  const child = spawn(program, ["--no-browser", "--allow-root", `--port=${port}`, ...flags], {
    cwd: place.folder,
    env: place.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr?.on("data", (chunk) => {
    log += chunk;
  });
  const url = `http://127.0.0.1:${port}${path ?? ""}`;
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`${program} ended:\n${log}`);
    const answered = await fetch(`${url}/api`).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return { url, token, stop: () => stopServer(child) };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  child.kill();
  throw new Error(`${program} did not answer:\n${log}`);
}

async function stopServer(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // SIGTERM lets the server shut its kernels down.
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await ended;
  clearTimeout(timer);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
