// Shell commands, scripts, files and rich text, as in other notebooks.
import { atMost, call, statement } from "./expansion.js";
import { type Expansion, type Magic, type MagicArguments, type MagicOption, UsageError } from "./magic.js";
import { onePath } from "./notebook.js";

/** Expands `!command`; with `captured`, as in `x = !command` and `!!command`, its value is the list of printed lines. */
export function expandShell(command: string, captured: boolean): Expansion {
  const prologue = captured ? `await ${call("lines", command)}` : `await ${call("shell", command)};`;
  return { prologue, keepBody: false };
}

const scriptOptions: readonly MagicOption[] = [
  { name: "--out", value: "NAME", doc: "Store stdout in the variable NAME instead of showing it." },
  { name: "--err", value: "NAME", doc: "The same for stderr." },
  { name: "--no-raise-error", doc: "Continue when its exit status is not 0." },
];

/** `%system`, `%npm`, `%run`, `%%script`, `%%bash`, `%%sh`, `%%writefile` and `%%file`. */
export const shellMagics: readonly Magic[] = [
  ...["system", "sx"].map(
    (name): Magic => ({
      name,
      kinds: ["line"],
      usage: "command",
      options: [],
      rawArguments: true,
      doc: "Runs a shell command and returns the lines that it prints, as `!!command` does; `!command` prints them.",
      expand: (args) => expandShell(required(name, args.raw), true),
    }),
  ),
  {
    name: "npm",
    kinds: ["line"],
    usage: "command",
    options: [],
    rawArguments: true,
    doc: "Runs npm in the current folder: `%npm install d3`.",
    expand: (args) => expandShell(`npm ${required("npm", args.raw)}`, false),
  },
  {
    name: "run",
    kinds: ["line"],
    usage: "FILE",
    options: [],
    completes: ["path"],
    doc: `Runs a TypeScript or JavaScript module, or a notebook, and binds its names in this notebook.

Of a module they are its exports; of a notebook everything that its cells declare, and what these print is shown.
The names can be used from the next cell on.

    %run helpers.ts
    %run setup.ipynb`,
    expand: (args) => {
      const path = onePath("run", args);
      if (path.endsWith(".ipynb")) return statement("runNotebook", path);
      const known = [".ts", ".js", ".mjs", ".cjs"];
      if (!known.some((ending) => path.endsWith(ending))) {
        throw new UsageError(`%run runs ${known.join(", ")} and .ipynb files, not ${JSON.stringify(path)}.`);
      }
      const specifier = (/^[./]/.test(path) ? path : `./${path}`).replace(/\.ts$/, "");
      const module = JSON.stringify(specifier);
      const [start, end] = [call("unload", path), `${JSON.stringify(path)}, ${module}`];
      return { prologue: `${start}; $magic.ran(await import(${module}), ${end});`, keepBody: false };
    },
  },
  {
    name: "script",
    kinds: ["cell"],
    usage: "[--out NAME] [--err NAME] [--no-raise-error] program [args]",
    options: scriptOptions,
    doc: "Runs the cell as a script: the body is the standard input of a program.",
    expand: (args, body) => expandScript("script", requiredWords("script", args), args, body),
  },
  ...["bash", "sh"].map(
    (shell): Magic => ({
      name: shell,
      kinds: ["cell"],
      usage: "[--out NAME] [--err NAME] [--no-raise-error]",
      options: scriptOptions,
      doc: `Runs the cell with ${shell}.`,
      expand: (args, body) => expandScript(shell, [shell, ...args.positional], args, body),
    }),
  ),
  ...["writefile", "file"].map(
    (name): Magic => ({
      name,
      kinds: ["cell"],
      usage: "[-a] FILE",
      options: [{ name: "--append", short: "-a", doc: "Append instead of overwriting." }],
      completes: ["path"],
      doc: "Writes the cell to a file.",
      expand: (args, body = "") =>
        statement("writefile", onePath(`%${name}`, args), body, args.options.append === true),
    }),
  ),
];

const rich: readonly (readonly [name: string, mime: string, what: string])[] = [
  ["html", "text/html", "HTML"],
  ["markdown", "text/markdown", "Markdown"],
  ["svg", "image/svg+xml", "an SVG image"],
  ["latex", "text/latex", "LaTeX"],
  ["javascript", "application/javascript", "JavaScript that the browser runs"],
];

/** `%%html`, `%%markdown`, `%%svg`, `%%latex` and `%%javascript`. */
export const richMagics: readonly Magic[] = rich.map(([name, mime, what]) => ({
  name,
  kinds: ["cell"],
  usage: "",
  options: [],
  doc: `Shows the cell as ${what}.`,
  expand: (args, body = "") => {
    atMost(`%${name}`, args, 0);
    return statement("rich", mime, body);
  },
}));

function required(name: string, raw: string): string {
  if (raw.trim() === "") throw new UsageError(`%${name} needs a command. See %${name}?`);
  return raw.trim();
}

function requiredWords(name: string, args: MagicArguments): readonly string[] {
  if (args.positional.length === 0) throw new UsageError(`%%${name} needs a program: %%${name} python3`);
  return args.positional;
}

function expandScript(magic: string, command: readonly string[], args: MagicArguments, body = ""): Expansion {
  const names = ["out", "err"].map((option) => args.options[option]);
  for (const name of names) {
    if (name !== undefined && !/^[A-Za-z_$][\w$]*$/.test(String(name))) {
      throw new UsageError(`%%${magic}: ${JSON.stringify(name)} is not a name that TypeScript accepts.`);
    }
  }
  const [out, err] = names;
  const options = {
    out: out !== undefined,
    err: err !== undefined,
    check: args.options["no-raise-error"] !== true,
  };
  const bound = [out && `stdout: ${out}`, err && `stderr: ${err}`].filter(Boolean).join(", ");
  const run = `await ${call("script", command, body, options)};`;
  return { prologue: bound ? `const { ${bound} } = ${run}` : run, keepBody: false };
}
