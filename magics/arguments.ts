// Parses the words after a magic's name: splits them at spaces outside quotes, and sorts them into options and positional
// words by the magic's record.
import { didYouMean } from "../runtime/base/errors.js";
import { type Magic, type MagicArguments, type MagicOption, UsageError } from "./magic.js";

/** A word and its place in the text. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Quoted from its first character, so it is not an option. */
  readonly quoted: boolean;
}

/** Splits text at white space outside quotes, and removes the quotes. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let i = 0;
  while (i < text.length) {
    if (/\s/.test(text.charAt(i))) {
      i++;
      continue;
    }
    const start = i;
    let word = "";
    while (i < text.length && !/\s/.test(text.charAt(i))) {
      const char = text.charAt(i);
      if (char !== '"' && char !== "'") {
        word += char;
        i++;
        continue;
      }
      const close = closingQuote(text, i);
      if (close < 0) throw new UsageError(`No closing quotation: ${text.slice(i)}`);
      word += text.slice(i + 1, close).replace(/\\(["'\\])/g, "$1");
      i = close + 1;
    }
    words.push({ text: word, start, end: i, quoted: /["']/.test(text.charAt(start)) });
  }
  return words;
}

function closingQuote(text: string, open: number): number {
  const quote = text.charAt(open);
  for (let i = open + 1; i < text.length; i++) {
    if (text.charAt(i) === "\\") i++;
    else if (text.charAt(i) === quote) return i;
  }
  return -1;
}

/** Parses the text after a magic's name according to its record; throws UsageError. */
export function parseArguments(
  magic: Pick<Magic, "name" | "options" | "rawArguments">,
  raw: string,
  percents: string,
): MagicArguments {
  if (magic.rawArguments) return { raw, positional: [], options: {} };
  const positional: string[] = [];
  const options: Record<string, string | true> = {};
  const words = splitWords(raw);
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) break;
    if (word.text === "--" && !word.quoted) {
      positional.push(...words.slice(i + 1).map((rest) => rest.text));
      break;
    }
    if (word.quoted || !/^--?[A-Za-z]/.test(word.text)) {
      positional.push(word.text);
      continue;
    }
    for (const { option, value } of optionsOf(magic, word.text, percents)) {
      const name = option.name.slice(2);
      if (option.value === undefined) {
        if (value !== undefined) {
          throw new UsageError(`${percents}${magic.name}: option ${option.name} takes no value.`);
        }
        options[name] = true;
        continue;
      }
      const given = value ?? words[++i]?.text;
      if (given === undefined) {
        throw new UsageError(
          `${percents}${magic.name}: option ${option.name} needs a value (${option.value}).`,
        );
      }
      options[name] = given;
    }
  }
  return { raw, positional, options };
}

interface GivenOption {
  readonly option: MagicOption;
  readonly value: string | undefined;
}

// One word may be an option (`--device`, `-n`), an option with its value (`--device=cpu`, `-n5`), or flags (`-qo`).
function optionsOf(magic: Pick<Magic, "name" | "options">, word: string, percents: string): GivenOption[] {
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const option = magic.options.find((one) => one.name === name);
    if (option === undefined) throw unknownOption(magic, name, percents);
    return [{ option, value: equals < 0 ? undefined : word.slice(equals + 1) }];
  }
  const given: GivenOption[] = [];
  for (let i = 1; i < word.length; i++) {
    const name = `-${word.charAt(i)}`;
    const option = magic.options.find((one) => one.short === name);
    if (option === undefined) throw unknownOption(magic, i === 1 ? word : name, percents);
    const rest = word.slice(i + 1).replace(/^=/, "");
    if (option.value !== undefined) {
      given.push({ option, value: rest === "" ? undefined : rest });
      break;
    }
    given.push({ option, value: undefined });
  }
  return given;
}

function unknownOption(magic: Pick<Magic, "name" | "options">, name: string, percents: string): UsageError {
  const names = magic.options.map((option) => option.name);
  const known = names.length === 0 ? "It takes no options." : `Its options are ${names.join(", ")}.`;
  const near = name.startsWith("--") ? didYouMean(name, names) : "";
  return new UsageError(`${percents}${magic.name}: unrecognized option ${name}. ${near || known}`);
}
