// %config, and the magics that change one setting: %precision, %typecheck, %xmode.

import { didYouMean } from "../runtime/base/errors.js";
import { deviceKinds } from "../runtime/device/kinds.js";
import { atMost, statement } from "./expansion.js";
import { type Magic, type MagicArguments, UsageError } from "./magic.js";

/** One setting of a notebook. */
export interface Setting {
  readonly name: string;
  /** Its values, if there are few. */
  readonly choices?: readonly string[];
  /** Values to complete, if others are allowed. */
  readonly completions?: readonly string[];
  /** Its default; absent if it is computed. */
  readonly initial?: string;
  readonly doc: string;
}

/** Every setting. */
export const settings = [
  { name: "device", completions: deviceKinds, doc: "The device of new tensors." },
  { name: "precision", initial: "5", doc: "Significant digits of a tensor's elements." },
  {
    name: "plots",
    choices: ["mime", "html", "png"],
    initial: "mime",
    doc: "The form of plots: all forms, with Plotly from the Jupyter server; with Plotly in the notebook; only a picture.",
  },
  {
    name: "typecheck",
    choices: ["on", "warn", "off"],
    initial: "on",
    doc: "The effect of a type error: stop the cell, print a warning, nothing.",
  },
  {
    name: "verify",
    choices: ["true", "false"],
    doc: "Whether compiled functions also run their operations as separate calls, and compare bits.",
  },
  {
    name: "nan",
    choices: ["ignore", "stop"],
    initial: "ignore",
    doc: "Whether a cell stops at the first operation that makes a NaN or an infinity, as with %%nan.",
  },
  {
    name: "xmode",
    choices: ["Context", "Plain", "Verbose", "Minimal"],
    initial: "Context",
    doc: "How an error is shown: with the cell's lines; without; with the frames of the kernel and of Node; as one line.",
  },
] as const satisfies readonly Setting[];

/** The name of a setting. */
export type SettingName = (typeof settings)[number]["name"];

const docs = {
  typecheck:
    "Sets the effect of type errors from the next cell on: stop it (on), print a warning (warn), or nothing (off).",
  xmode: `Sets how errors are shown from now on.

Context shows the lines of the cell that failed; Plain only its frames; Verbose also those of the kernel and of
Node; Minimal only the error.`,
} as const;

/** `%config`, `%precision`, `%typecheck` and `%xmode`. */
export const settingMagics: readonly Magic[] = [
  {
    name: "config",
    kinds: ["line"],
    usage: "[NAME[=VALUE]]",
    options: [],
    completes: ["setting"],
    doc: `Shows the notebook's settings, or one of them, or changes one.

${settings.map(({ name, doc }) => `    ${name.padEnd(10)} ${doc}`).join("\n")}

    %config xmode = Plain`,
    expand: expandConfig,
  },
  {
    name: "precision",
    kinds: ["line"],
    usage: "[N]",
    options: [],
    doc: "Sets the number of significant digits of printed tensors; without a number 5, the default.",
    expand: (args) => {
      atMost("precision", args, 1);
      return statement(
        "config",
        "precision",
        canonical("%precision", "precision", args.positional[0] ?? "5"),
      );
    },
  },
  ...(["typecheck", "xmode"] as const).map((name) => ({
    name,
    kinds: ["line" as const],
    usage: choicesOf(name).join("|"),
    options: [],
    doc: docs[name],
    expand: (args: MagicArguments) => {
      atMost(name, args, 1);
      const [given] = args.positional;
      if (given === undefined)
        throw new UsageError(`%${name} takes ${listed(choicesOf(name))}. See %${name}?`);
      return statement("config", name, canonical(`%${name}`, name, given));
    },
  })),
];

function expandConfig(args: MagicArguments) {
  const text = args.raw.trim();
  if (text === "") return statement("config");
  const [, name = "", value] = /^([^\s=]*)(?:\s*=\s*|\s+)?(.*)$/.exec(text) ?? [];
  const setting = settings.find((one) => one.name === name);
  const names = settings.map((one) => one.name);
  if (!setting) {
    throw new UsageError(
      `%config: no setting is called ${JSON.stringify(name)}. ${didYouMean(name, names) || `The settings are ${names.join(", ")}.`}`,
    );
  }
  if (!value) return statement("config", name);
  return statement(
    "config",
    name,
    canonical(`%config ${name}`, setting.name, value.replace(/^(["'])(.*)\1$/, "$2")),
  );
}

/** A setting's value; choices ignore case. */
function canonical(use: string, name: SettingName, given: string): string {
  if (name === "precision" && !/^(?:[1-9]|1[0-7])$/.test(given)) {
    throw new UsageError(
      `${use}: the digits must be a whole number from 1 to 17, not ${JSON.stringify(given)}.`,
    );
  }
  const choices = choicesOf(name);
  if (choices.length === 0) return given;
  const chosen = choices.find((choice) => choice.toLowerCase() === given.toLowerCase());
  if (chosen !== undefined) return chosen;
  const hint = didYouMean(given, choices);
  throw new UsageError(`${use} takes ${listed(choices)}, not ${JSON.stringify(given)}.${hint && ` ${hint}`}`);
}

function choicesOf(name: SettingName): readonly string[] {
  const setting: Setting | undefined = settings.find((one) => one.name === name);
  return setting?.choices ?? [];
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
