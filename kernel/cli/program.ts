import { readFileSync } from "node:fs";
// The command line. Each command loads its modules when it runs: `jitlab kernel` must not wait for those of `install`.
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { JitlabError } from "../../runtime/base/errors.js";
import { millisecondsOf } from "../../runtime/base/units.js";
import { portStatus } from "../protocol/connection.js";
import type { CacheAction, CacheOptions } from "./cache-command.js";
import type { DoctorOptions } from "./doctor.js";
import { addParameter } from "./parameters.js";
import type { RemoteAction, RemoteOptions } from "./remote-command.js";

const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const program = new Command("jitlab")
  .description("A Jupyter kernel for TypeScript notebooks with JIT-compiled tensors.")
  .version(manifest.version)
  .showHelpAfterError("(--help lists the options)");

program
  .command("install")
  .description("install the kernelspec, so that Jupyter offers the kernel")
  .addOption(placeOption("--user", "for this user (the default)"))
  .addOption(placeOption("--sys-prefix", "into the active Python environment"))
  .addOption(placeOption("--prefix <folder>", "below <folder>/share/jupyter/kernels"))
  .option("--name <name>", "the kernelspec's name", "jitlab")
  .option("--display-name <text>", "the name that Jupyter shows")
  .option("--env <K=V>", "an environment variable of the kernel; may be repeated", addVariable, {})
  .action(async (options) => {
    const { installKernelspec } = await import("./install.js");
    const report = installKernelspec(options);
    console.log(
      `${report.replaced ? "Replaced" : "Installed"} the kernelspec ${options.name} in ${report.folder}`,
    );
    for (const note of report.notes) console.error(`Note: ${note}`);
    await prepareLanguage();
  });

program
  .command("uninstall")
  .description("remove the kernelspec")
  .addOption(placeOption("--user", "this user's (the default)"))
  .addOption(placeOption("--sys-prefix", "the active Python environment's"))
  .addOption(placeOption("--prefix <folder>", "the one below <folder>/share/jupyter/kernels"))
  .option("--name <name>", "the kernelspec's name", "jitlab")
  .action(async (options) => {
    const { uninstallKernelspec } = await import("./install.js");
    console.log(`Removed ${uninstallKernelspec(options)}`);
  });

program
  .command("kernel")
  .description("run as a kernel; Jupyter calls this")
  .requiredOption("-f, --connection-file <file>", "the connection file that Jupyter wrote")
  .action(async (options: { connectionFile: string }) => {
    const { earlyLanguage } = await import("./early-language.js");
    const language = earlyLanguage();
    try {
      const { serveKernel } = await import("../server/server.js");
      await serveKernel(options.connectionFile, language);
    } finally {
      await language.close();
    }
  });

program
  .command("run")
  .description("execute a notebook through the kernel and print its output")
  .argument("<notebook>", "an .ipynb file, or a .ts file whose cells begin with // %%; it is not changed")
  .option("--output <file>", "write the executed notebook here")
  .option("--html <file>", "write it as one self-contained HTML page here")
  .option("--device <device>", "the default device, such as cpu or cuda:1")
  .option(
    "-p, --parameter <name=value>",
    "a value behind the cell tagged parameters; may be repeated",
    addParameter,
    undefined,
  )
  .action(async (notebook: string, options) => {
    const { runNotebook } = await import("./run.js");
    process.exitCode = await runNotebook(notebook, options);
  });

program
  .command("export")
  .description("write a notebook as a TypeScript file that jitlab run executes")
  .argument("<notebook>", "an .ipynb file")
  .option("--output <file>", "the file to write; beside the notebook, with its name, unless given")
  .action(async (notebook: string, options: { output?: string }) => {
    const { exportScript } = await import("./export-command.js");
    console.log(`Wrote ${exportScript(notebook, options.output)}`);
  });

const cacheActions: readonly CacheAction[] = ["status", "list", "clear", "verify", "export", "import"];
const cacheCommand = program
  .command("cache")
  .description("show, check or clear the kernel cache, or move it through a file")
  .addArgument(
    new Argument("[action]", "what to do").choices(cacheActions).argParser(cacheActionOf).default("status"),
  )
  .argument(
    "[file]",
    "what export writes and import reads: native code, so import files of people whom you trust",
  )
  .option("--op <name>", "list, clear: the kernels of one operation or functor")
  .option("--device <name>", "list, clear: the kernels of one kind of device, such as cuda")
  .option("--older-than <age>", "list, clear: the kernels not used for so long, such as 12h or 30d", ageOf)
  .option("--yes", "import: do not ask")
  .option("--json", "print JSON")
  .action(async (action: CacheAction, file: string | undefined, { olderThan, ...options }: CacheAge) => {
    const { runCacheCommand } = await import("./cache-command.js");
    const age = olderThan === undefined ? {} : { olderThanMs: olderThan };
    await runCacheCommand(action, file, { ...options, ...age });
  });

cacheCommand
  .command("remote")
  .description("show, fill, fetch or empty the cache that several machines share (JITLAB_REMOTE_CACHE)")
  .addArgument(
    new Argument("[action]", "what to do")
      .choices(["status", "push", "pull", "clear"] satisfies RemoteAction[])
      .default("status"),
  )
  .option("--yes", "clear: do not ask")
  .option("--json", "print JSON")
  .action(async (action: RemoteAction, _given: RemoteOptions, command: Command) => {
    const { runRemoteCommand } = await import("./remote-command.js");
    // The options of `jitlab cache` have the same names, and take them.
    await runRemoteCommand(action, command.optsWithGlobals());
  });

program
  .command("version")
  .description("print the version")
  .action(() => console.log(manifest.version));

program
  .command("doctor")
  .description("check what jitlab needs on this machine, and say how to mend what is missing")
  .option("--all", "print every check, also what works and what only a GPU would need")
  .option("--json", "print JSON")
  .action(async (options: DoctorOptions) => {
    const { runDoctor } = await import("./doctor.js");
    process.exitCode = await runDoctor(options);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof JitlabError)) throw error;
  console.error(`jitlab: ${error.message}`);
  process.exitCode = error.code === "socket-bind" ? portStatus : 1;
}

interface CacheAge extends CacheOptions {
  /** In milliseconds. */
  readonly olderThan?: number;
}

// Without it the kernel starts more slowly, and makes it itself after a while.
async function prepareLanguage(): Promise<void> {
  const { makeSnapshot, usableSnapshot } = await import("../language/snapshot-file.js");
  if (usableSnapshot() !== undefined) return;
  await makeSnapshot().catch(({ message }: Error) =>
    console.error(`Note: the language service could not be prepared: ${message}`),
  );
}

function placeOption(flags: string, description: string): Option {
  const places = ["user", "sysPrefix", "prefix"];
  const option = new Option(flags, description);
  return option.conflicts(places.filter((place) => place !== option.attributeName()));
}

/** An action of `jitlab cache`; its subcommands are actions to a user too. */
function cacheActionOf(text: string): CacheAction {
  const action = cacheActions.find((known) => known === text);
  if (action !== undefined) return action;
  const known = [...cacheActions, ...cacheCommand.commands.map((command) => command.name())];
  throw new InvalidArgumentError(`Allowed choices are ${known.join(", ")}.`);
}

/** The milliseconds of an age such as `30d`. */
function ageOf(text: string): number {
  const age = millisecondsOf(text);
  if (age === undefined) throw new InvalidArgumentError("It must look like 90s, 5min, 12h or 30d.");
  return age;
}

function addVariable(text: string, earlier: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError("It must look like NAME=value.");
  }
  return { ...earlier, [name]: value };
}
