// The built-ins for running cells, saved before any cell runs. A cell may replace JSON.stringify, array methods and others;
// later cells still run. The code between a message of the parent and its answer uses these functions, pinned objects, and
// indexes instead of iterators.
import { writeSync } from "node:fs";

const { apply, call } = Function.prototype;
const { isArray } = Array;
const {
  defineProperty,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getPrototypeOf,
  hasOwn,
  setPrototypeOf,
} = Object;
const { from } = Buffer;
const write = writeSync;

export const { isInteger } = Number;
/** `Object.keys`. */
export const ownKeys = Object.keys;
/** `JSON.parse`. */
export const parseJson = JSON.parse as (text: string) => unknown;
const stringify = JSON.stringify as (value: unknown) => string;

/** `text.indexOf(part, start)`. */
export const indexOf = call.bind(String.prototype.indexOf) as unknown as (
  text: string,
  part: string,
  start?: number,
) => number;

/** `text.slice(start, end)`. */
export const slice = call.bind(String.prototype.slice) as unknown as (
  text: string,
  start: number,
  end?: number,
) => string;

const NativePromise = Promise;

/** Whether a value is a promise, even if a cell replaced `Promise`. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof NativePromise;
}

/** Copies an object's methods to own properties, so that it keeps them when its prototype changes. */
export function pinned<T extends object>(object: T): T {
  for (let owner: object | null = object; owner !== null; owner = getPrototypeOf(owner)) {
    if (owner === Object.prototype) break;
    for (const name of getOwnPropertyNames(owner)) {
      const method = getOwnPropertyDescriptor(owner, name);
      if (name === "constructor" || typeof method?.value !== "function" || hasOwn(object, name)) continue;
      defineProperty(object, name, { ...method, enumerable: false });
    }
  }
  return object;
}

/**
 * Removes an object's prototype, so that a promise can resolve with it without calling a `then` that a cell added to all
 * objects.
 */
export function nullPrototype<T extends object>(object: T): T {
  return setPrototypeOf(object, null) as T;
}

/**
 * Prevents replacing `Function.prototype.apply`: Node calls it for every event, so without it this process would receive no
 * events. A function may still have its own `apply`.
 */
export function keepApply(): void {
  defineProperty(Function.prototype, "apply", {
    get: () => apply,
    set(this: unknown, value: unknown) {
      if (this === Function.prototype)
        throw new TypeError("Function.prototype.apply cannot be replaced here: Node.js itself needs it.");
      defineProperty(this, "apply", { value, writable: true, enumerable: true, configurable: true });
    },
    configurable: false,
  });
}

/** The JSON of plain data, ignoring any `toJSON` on the prototypes of objects and arrays. */
export function plainJson(value: unknown): string {
  return "toJSON" in [] ? writtenOut(value) : stringify(value);
}

function writtenOut(value: unknown): string {
  if (typeof value !== "object" || value === null) return stringify(value) ?? "null";
  let text = "";
  if (isArray(value)) {
    for (let i = 0; i < value.length; i++) text += `${i === 0 ? "" : ","}${writtenOut(value[i])}`;
    return `[${text}]`;
  }
  const fields = value as Record<string, unknown>;
  const names = ownKeys(fields);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (fields[name] === undefined) continue;
    text += `${text === "" ? "" : ","}${stringify(name)}:${writtenOut(fields[name])}`;
  }
  return `{${text}}`;
}

/** Writes all of a text to a descriptor. */
export function writeAll(descriptor: number, text: string): void {
  const bytes = from(text);
  for (let done = 0; done < bytes.length; ) done += write(descriptor, bytes, done);
}
