// %cd, %pwd, %env, shell commands, scripts and files in the child: its folder, its environment, its programs. The
// environment here is the user's; only runtime/base/env.ts reads jitlab's settings.
import { type StdioOptions, spawn } from "node:child_process";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { JitlabError } from "../../runtime/base/errors.js";
import { UsageError } from "../magic.js";
import type { MagicContext } from "./context.js";
import { closeAll, inputOf, outputPipes } from "./pipes.js";

let previousFolder: string | undefined;

function expandHome(path: string): string {
  return path.replace(/^~(?=$|\/)/, homedir());
}

/** Changes the current folder and prints it. */
export function cd(context: MagicContext, folder: string): void {
  if (folder === "-" && previousFolder === undefined)
    throw new UsageError("%cd -: No previous directory to change to.");
  const target = folder === "-" ? (previousFolder ?? "") : folder === "" ? homedir() : expandHome(folder);
  const before = process.cwd();
  try {
    process.chdir(target);
  } catch (error) {
    throw new UsageError(
      `%cd: cannot change to ${JSON.stringify(folder)}: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
  previousFolder = before;
  context.line(process.cwd());
}

/** All environment variables, or one. */
export function env(): Record<string, string | undefined>;
export function env(name: string): string;
export function env(name?: string): Record<string, string | undefined> | string {
  if (name === undefined) return { ...process.env };
  const value = process.env[name];
  if (value === undefined) throw new UsageError(`Environment does not have key: ${name}`);
  return value;
}

/** Sets an environment variable. */
export function setEnv(context: MagicContext, name: string, value: string): void {
  process.env[name] = value;
  context.line(`env: ${name}=${value}`);
}

/** Writes a cell to a file. */
export function writefile(context: MagicContext, path: string, text: string, append: boolean): void {
  const target = resolve(expandHome(path));
  const verb = !existsSync(target) ? "Writing" : append ? "Appending to" : "Overwriting";
  const content = text.endsWith("\n") ? text : `${text}\n`;
  try {
    if (append) appendFileSync(target, content);
    else writeFileSync(target, content);
  } catch (error) {
    throw new UsageError(`%%writefile: cannot write ${path}: ${(error as NodeJS.ErrnoException).code}.`);
  }
  context.line(`${verb} ${path}`);
}

/** `$name` and `{name}` in a shell command stand for variables of the notebook, as in IPython; other text stays. */
function interpolate(context: MagicContext, command: string): string {
  const { locals } = context.host;
  return command.replace(/\{([A-Za-z_]\w*)\}|(?<![\\$])\$([A-Za-z_]\w*)/g, (text, braced, dollar) => {
    const name: string = braced ?? dollar;
    return Object.hasOwn(locals, name) ? String(locals[name]) : text;
  });
}

interface Output {
  readonly stdout?: (text: string) => void;
  readonly stderr?: (text: string) => void;
}

/** Runs a program; its exit status. Throws UsageError if it cannot be started. */
export function runProgram(
  command: readonly string[],
  input: string | undefined,
  output: Output,
): Promise<number> {
  const [program = "", ...args] = command;
  return new Promise((done, fail) => {
    const pipes = outputPipes(2);
    const body = input === undefined ? [] : [inputOf(input)];
    const [out, err] = pipes;
    const stdio: StdioOptions = [body[0] ?? "ignore", out?.theirs ?? "pipe", err?.theirs ?? "pipe"];
    const child = spawn(program, args, { stdio });
    closeAll([...pipes.map(({ theirs }) => theirs), ...body]);
    const streams = { stdout: out?.source ?? child.stdout, stderr: err?.source ?? child.stderr };
    const ends = (["stdout", "stderr"] as const).map((name) => {
      const stream: Readable | null = streams[name];
      stream?.setEncoding("utf8").on("data", (text: string) => output[name]?.(text));
      return new Promise((ended) => stream?.once("close", ended));
    });
    child.once("error", (error: NodeJS.ErrnoException) => {
      const what = error.code === "ENOENT" ? "it is not installed, or not on the PATH" : error.message;
      fail(new UsageError(`Cannot run ${program}: ${what}.`));
    });
    child.once("exit", (code, signal) => {
      void Promise.all(ends).then(() => done(code ?? (signal ? 128 : 0)));
    });
  });
}

/** Runs a shell command and prints its output. */
export async function shell(context: MagicContext, command: string): Promise<void> {
  const { host } = context;
  const streams = {
    stdout: (text: string) => host.print(text),
    stderr: (text: string) => host.printError(text),
  };
  await runProgram(["sh", "-c", interpolate(context, command)], undefined, streams);
}

/** Runs a shell command and returns the lines that it prints. */
export async function lines(context: MagicContext, command: string): Promise<string[]> {
  let text = "";
  const keep = (more: string) => {
    text += more;
  };
  await runProgram(["sh", "-c", interpolate(context, command)], undefined, { stdout: keep, stderr: keep });
  const found = text.split("\n");
  if (found.at(-1) === "") found.pop();
  return found;
}

/** The captured output of a script. */
export interface ScriptOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with the cell as its standard input. */
export async function script(
  context: MagicContext,
  command: readonly string[],
  body: string,
  options: { out: boolean; err: boolean; check: boolean },
): Promise<ScriptOutput> {
  const kept = { stdout: "", stderr: "" };
  const stdout = (text: string) => {
    if (options.out) kept.stdout += text;
    else context.host.print(text);
  };
  const stderr = (text: string) => {
    if (options.err) kept.stderr += text;
    else context.host.printError(text);
  };
  const code = await runProgram(command, body, { stdout, stderr });
  if (code !== 0 && options.check) {
    throw new JitlabError(
      "script-failed",
      `${command.join(" ")} returned exit status ${code}.`,
      "Pass --no-raise-error to continue anyway.",
    );
  }
  return kept;
}
