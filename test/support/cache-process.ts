// Starts cache-process.mjs: another process that uses kernels with a cache folder.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";

const script = join(import.meta.dirname, "cache-process.mjs");

/** What the process says: the kernels that it used, the cache's status, and its warnings. */
export interface Outcome {
  readonly used: readonly { name: string; key: string; origin: string; result: string }[];
  readonly status: { mode: string; reason: string; kernels: number };
  readonly stderr: string;
}

/** How to start the process: as another user, with more variables, with a module loaded first. */
export interface Start {
  readonly uid?: number;
  /** Its group; one of the same number unless given. */
  readonly gid?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly preload?: string;
}

/** Runs a process that uses kernels of these names with a cache folder. */
export function use(folder: string, names: readonly string[], start: Start = {}): Promise<Outcome> {
  return act(folder, { action: "use", names }, start);
}

/** Runs a process that takes an action of cache-process.mjs. */
export function act(
  folder: string,
  action: object,
  { uid, gid = uid, env, preload }: Start = {},
): Promise<Outcome> {
  return new Promise((done, fail) => {
    const flags = preload === undefined ? [] : ["--import", preload];
    execFile(
      process.execPath,
      [...flags, script, JSON.stringify(action)],
      {
        env: { ...process.env, JITLAB_CACHE_DIR: folder, ...env },
        ...(uid === undefined ? {} : { uid, ...(gid !== undefined && { gid }) }),
      },
      (error, stdout, stderr) => {
        if (error) fail(new Error(`${error.message}\n${stderr}`));
        else done({ ...JSON.parse(stdout), stderr });
      },
    );
  });
}

/** Where each kernel came from. */
export const origins = ({ used }: Outcome): string[] => used.map(({ origin }) => origin);

/** What each kernel wrote: the first letter of its name. */
export const results = ({ used }: Outcome): string[] => used.map(({ result }) => result);

/** Starts a process that takes an action and then lives until it is killed; gives what it said. */
export async function stay(
  folder: string,
  action: object,
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; said: unknown }> {
  const child = spawn(process.execPath, [script, JSON.stringify(action)], {
    env: { ...process.env, JITLAB_CACHE_DIR: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise((done) => child.stdout?.once("data", done));
  return { child, said: JSON.parse(String(line)) };
}
