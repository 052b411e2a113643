// Converts the value that a cell threw to the error that notebooks show.

import { inspect } from "node:util";
import { cut } from "../../runtime/base/cut.js";
import { Interrupted } from "./cell-context.js";
import type { CellError } from "./channel.js";
import { errorMode } from "./error-mode.js";
import { errorTitle, excerpt } from "./excerpt.js";
import { isInterruption } from "./interruptible.js";
import { runtimeAdvice } from "./runtime-advice.js";
import { cellPlace } from "./stack.js";

// Longer messages are cut: front ends show them slowly or not at all.
const longest = 100_000;

/** Errors that are complete in one line, as IPython shows a magic's misuse. */
const oneLiners: ReadonlySet<string> = new Set(["UsageError", "Interrupted"]);

/** The error of a cell: its name and message, the cell's line with a caret, and the stack. Never throws. */
export function reportError(thrown: unknown): CellError {
  try {
    return isInterruption(thrown) ? report(new Interrupted()) : report(thrown);
  } catch {
    return uncaught("a value that cannot be inspected"); // for example a proxy that throws on every access
  }
}

function uncaught(message: string): CellError {
  return { name: "Uncaught", message, traceback: [errorTitle("Uncaught", message)] };
}

function report(error: unknown): CellError {
  if (!isError(error)) return uncaught(clipped(inspect(error)));
  const name = safely(() => String(error.name)) || "Error";
  const whole = withAdvice(
    safely(() => String(error.message)),
    safely(() => String((error.cause as Error | undefined)?.message ?? "")),
  );
  const message = clipped(whole);
  const title = errorTitle(name, message);
  const mode = errorMode();
  if (oneLiners.has(name) || mode === "Minimal") return { name, message, traceback: [title] };
  const stack = safely(() => withoutLong(whole, String(error.stack ?? "")));
  const place = mode === "Plain" ? undefined : cellPlace(stack);
  const marked = place === undefined ? [] : excerpt(place.code, place.place);
  return { name, message, traceback: [title, ...marked, ...details(error, stack, whole !== message)] };
}

function withAdvice(message: string, cause: string): string {
  const advice = runtimeAdvice(message, cause);
  return advice === undefined ? message : `${message}\n${advice}`;
}

/** Formats an error that no cell waits for as text for stderr. */
export function reportAsText(what: string, thrown: unknown): string {
  return `${what}:\n${reportError(thrown).traceback.join("\n")}\n`;
}

function clipped(message: string): string {
  if (message.length <= longest) return message;
  return `${cut(message, 0, longest)}… (${message.length} characters)`;
}

// A stack begins with the message.
function withoutLong(message: string, stack: string): string {
  return message.length <= longest ? stack : stack.slice(stack.indexOf(message) + message.length);
}

function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

// What follows the title: the frames, causes, and properties such as `code`. The package's own errors say all there is
// to say in their message.
function details(error: Error, stack: string, isLong: boolean): string[] {
  const isOurs = "help" in error && "what" in error;
  const text = isOurs || isLong ? stack : safely(() => inspect(error)) || stack;
  const frames = text.search(/^ {4}at /m);
  if (frames >= 0) return text.slice(frames).split("\n");
  const rest = text.indexOf("\n", text.indexOf(error.message) + error.message.length);
  return rest < 0 ? [] : text.slice(rest + 1).split("\n");
}

// Getters and proxies of user objects may throw; the report then omits them.
function safely(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
