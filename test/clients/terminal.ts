// A program on a terminal of its own, as a person at the keyboard has it: `script` gives it the terminal.
import { type ChildProcess, spawn } from "node:child_process";

// biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor and colours begins with escape
const controls = /\u001b(\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*\u0007|[()].|[=>78])|[\u0007\r]/g;

// How long the program may be silent about what is expected of it.
const patienceMs = 60_000;

/** A program's terminal. */
export class Terminal {
  private text = "";
  private wake: () => void = () => undefined;
  private readonly process: ChildProcess;
  /** Settles with the program's exit status. */
  readonly ended: Promise<number | null>;

  /** Starts a shell command. */
  constructor(command: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    const env = { ...options.env, TERM: "xterm", PROMPT_TOOLKIT_NO_CPR: "1" };
    const sized = `stty rows 40 cols 120; exec ${command}`;
    this.process = spawn("script", ["--quiet", "--flush", "--return", "--command", sized, "/dev/null"], {
      cwd: options.cwd,
      env,
      stdio: ["pipe", "pipe", "inherit"],
      detached: true,
    });
    this.process.stdout?.on("data", (chunk) => {
      this.text += chunk;
      this.wake();
    });
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
  }

  /** Types keys. */
  type(keys: string): void {
    this.process.stdin?.write(keys);
  }

  /** Waits until the terminal shows what the pattern describes, after what was found before; gives the text up to there. */
  async shows(pattern: RegExp): Promise<string> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const visible = this.text.replace(controls, "");
      const found = pattern.exec(visible);
      if (found) {
        const end = found.index + found[0].length;
        this.text = visible.slice(end);
        return visible.slice(0, end);
      }
      if (performance.now() > deadline) throw new Error(`The terminal does not show ${pattern}:\n${visible}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Ends the program and what it started. */
  kill(): void {
    if (this.process.pid !== undefined && this.process.exitCode === null)
      process.kill(-this.process.pid, "SIGKILL");
  }
}
