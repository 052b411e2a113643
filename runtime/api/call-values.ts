// The arguments and the result of a call of a compiled function, seen as memory: whether two calls have equal arguments, and how
// the result of one is made from the memory of another.

import { types } from "node:util";
import { PooledStorage } from "../device/pooled-storage.js";
import { sameNumbers } from "../geometry/layout.js";
import { valueIn } from "../program/ir.js";
import type { Tape } from "../program/tape.js";
import { type Source, storageAt } from "../program/trace.js";
import { isSameWindow, type Window, windowOn } from "../program/window.js";
import { Tensor } from "../tensor/tensor.js";

/** The arguments of a call. */
export interface Given {
  /** Tensors and other values in the order of a walk; an array or a plain object is a mark, its keys and parts, and another mark. */
  readonly parts: unknown[];
  /** The tensors' storages, each once, and each tensor's number among them. */
  readonly storages: PooledStorage[];
  readonly numbers: number[];
}

const arrayMark = Symbol("array");
const objectMark = Symbol("object");
const endMark = Symbol("end");
const mostDepth = 8;

/** The arguments of a call; undefined if operations on one of the tensors are not deferred. */
export function givenBy(args: readonly unknown[]): Given | undefined {
  const given: Given = { parts: [], storages: [], numbers: [] };
  for (let i = 0; i < args.length; i++) if (!addPart(args[i], given, 0)) return undefined;
  return given;
}

/** Adds a value's parts; false for a tensor with which operations are not deferred. */
function addPart(value: unknown, given: Given, depth: number): boolean {
  const { parts } = given;
  if (value instanceof Tensor) return addTensor(value, given);
  if (depth > mostDepth || !isStructure(value)) {
    parts.push(value);
    return true;
  }
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  parts.push(Array.isArray(value) ? arrayMark : objectMark);
  for (const key of keys) {
    parts.push(key);
    if (!addPart((value as Record<string | number, unknown>)[key], given, depth + 1)) return false;
  }
  parts.push(endMark);
  return true;
}

function addTensor(tensor: Tensor, given: Given): boolean {
  const { storage } = tensor;
  if (!(storage instanceof PooledStorage) || storage.shared || storage.disposed) return false;
  const value = valueIn(storage);
  // As a tape numbers its leaves.
  if (value.tape !== given) {
    value.tape = given;
    value.ref = given.storages.push(storage) - 1;
  }
  given.numbers.push(value.ref);
  given.parts.push(tensor);
  return true;
}

/** True for arrays and plain objects. */
function isStructure(value: unknown): value is object {
  if (typeof value !== "object" || value === null || types.isProxy(value)) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What arguments of equal calls have in common: values, structure, and the dtypes and layouts of tensors. */
export class ArgumentClass {
  readonly #parts: readonly unknown[];
  readonly #numbers: readonly number[];

  constructor({ parts, numbers }: Given) {
    this.#parts = parts.map((part) => (part instanceof Tensor ? new TensorClass(part) : part));
    this.#numbers = numbers;
  }

  /** True for arguments of this class. */
  has({ parts, numbers }: Given): boolean {
    if (parts.length !== this.#parts.length || !sameNumbers(numbers, this.#numbers)) return false;
    for (let i = 0; i < parts.length; i++) {
      const [part, own] = [parts[i], this.#parts[i]];
      if (part instanceof Tensor ? !(own instanceof TensorClass && own.has(part)) : !Object.is(part, own))
        return false;
    }
    return true;
  }
}

class TensorClass {
  readonly #window: Window;
  readonly #bytes: number;
  readonly #device: object;

  constructor(tensor: Tensor) {
    this.#window = windowOn(tensor);
    this.#bytes = tensor.storage.bytes;
    this.#device = tensor.device;
  }

  has(tensor: Tensor): boolean {
    const { storage } = tensor;
    return (
      storage.bytes === this.#bytes && storage.device === this.#device && isSameWindow(this.#window, tensor)
    );
  }
}

/** How a result is made from a call's arguments and the memory of the values that it computed, by their numbers. */
export interface ResultForm {
  /** `made` receives the result's tensors by their numbers: one that stands twice is one object. */
  make(given: Given, memory: ReadonlyMap<number, PooledStorage>, made: Tensor[]): unknown;
  /** Equal for equal forms. */
  readonly text: string;
}

/** The form of the result of a tape's call; undefined if it cannot be made again. */
export function formOfResult(
  result: unknown,
  given: Given,
  tape: Tape,
  tensors: Tensor[] = [],
): ResultForm | undefined {
  if (result instanceof Tensor) {
    const known = tensors.indexOf(result);
    if (known >= 0) return formOfRepeated(known);
    const form = formOfTensor(result, given, tape);
    return form && formOfFirst(form, tensors.push(result) - 1);
  }
  if (typeof result === "function") return undefined;
  if (typeof result !== "object" || result === null) return formOfConstant(result);
  if (!isStructure(result)) return undefined;
  const forms = Object.values(result).map((one) => formOfResult(one, given, tape, tensors));
  if (!forms.every((form) => form !== undefined)) return undefined;
  return Array.isArray(result) ? formOfList(forms) : formOfRecord(Object.keys(result), forms);
}

// Functions of their own: a closure keeps alive what closures beside it name, such as the first call's tensors.
function formOfConstant(value: unknown): ResultForm {
  return { make: () => value, text: `${typeof value} ${String(value)}` };
}

function formOfList(forms: readonly ResultForm[]): ResultForm {
  return {
    make: (given, memory, made) => forms.map((form) => form.make(given, memory, made)),
    text: `[${forms.map(({ text }) => text).join(", ")}]`,
  };
}

function formOfRecord(keys: readonly string[], forms: readonly ResultForm[]): ResultForm {
  return {
    make: (given, memory, made) =>
      Object.fromEntries(forms.map((form, i) => [keys[i], form.make(given, memory, made)])),
    text: `{${forms.map(({ text }, i) => `${keys[i]}: ${text}`).join(", ")}}`,
  };
}

function formOfFirst(form: ResultForm, number: number): ResultForm {
  return {
    make: (given, memory, made) => {
      const tensor = form.make(given, memory, made) as Tensor;
      made[number] = tensor;
      return tensor;
    },
    text: form.text,
  };
}

function formOfRepeated(number: number): ResultForm {
  return { make: (_, _memory, made) => made[number], text: `tensor ${number} of the result` };
}

function formOfTensor(tensor: Tensor, given: Given, tape: Tape): ResultForm | undefined {
  const at = given.parts.indexOf(tensor);
  if (at >= 0) return { make: ({ parts }) => parts[at], text: `argument ${at}` };
  const { storage, offset, shape, strides, dtype } = tensor;
  if (!(storage instanceof PooledStorage)) return undefined;
  const layout = `${dtype.name}[${shape}] ${strides} ${offset}`;
  const value = valueIn(storage);
  const number = given.storages.indexOf(storage);
  if (number < 0 && value.tape === tape && value.ref >= 0 && !tape.written?.has(storage)) {
    const { ref } = value;
    return {
      make: (_, memory) => new Tensor(memory.get(ref) as PooledStorage, offset, shape, strides, dtype),
      text: `result ${ref} ${layout}`,
    };
  }
  if (tape.made?.has(value)) return undefined;
  const source: Source = number < 0 ? storage : number;
  return {
    make: ({ storages }) => new Tensor(storageAt(source, storages), offset, shape, strides, dtype),
    text: `memory ${number} ${layout}`,
  };
}
