// The arguments and the result of a call of a compiled function, seen as memory: whether two calls have equal arguments, and how
// the result of one is made from the memory of another.

import { types } from "node:util";
import { PooledStorage } from "../device/pooled-storage.js";
import { sameNumbers } from "../geometry/layout.js";
import { valueIn } from "../program/operations/ir.js";
import { isSameWindow, type Window, windowOn } from "../program/operations/window.js";
import type { Tape } from "../program/tape/tape.js";
import { type Source, storageAt } from "../program/tape/trace.js";
import { Tensor } from "../tensor/tensor.js";

/** The arguments of a call. */
export interface Given {
  /** Tensors and other values in the order of a walk; an array or a plain object is a mark, its parts, and another mark. */
  readonly parts: unknown[];
  /** The arrays and plain objects. */
  readonly structures: object[];
  /** The tensors' storages, each once, and each tensor's number among them. */
  readonly storages: PooledStorage[];
  readonly numbers: number[];
}

const arrayMark = Symbol("array");
const objectMark = Symbol("object");
const endMark = Symbol("end");
const mostDepth = 32;

/** The arguments of a call as comparable values, or the reason, in words, why they cannot be compared. */
export function givenBy(args: readonly unknown[]): Given | string {
  const given: Given = { parts: [], structures: [], storages: [], numbers: [] };
  return addList(args, given, 0, addTensor) ?? given;
}

/** True if arrays and objects of the arguments contain something else than when they were given. */
export function hasChanged(args: readonly unknown[], { parts, structures }: Given): boolean {
  if (structures.length === 0) return false;
  const now: Given = { parts: [], structures: [], storages: [], numbers: [] };
  const why = addList(args, now, 0, (tensor) => void now.parts.push(tensor));
  return (
    why !== undefined ||
    now.parts.length !== parts.length ||
    !now.parts.every((one, i) => Object.is(one, parts[i]))
  );
}

type Add = (tensor: Tensor, given: Given) => string | undefined;

/** Adds the parts of each element; returns why that is impossible, if it is. */
function addList(list: readonly unknown[], given: Given, depth: number, add: Add): string | undefined {
  for (let i = 0; i < list.length; i++) {
    const why = addPart(list[i], given, depth, add);
    if (why !== undefined) return why;
  }
  return undefined;
}

function addPart(value: unknown, given: Given, depth: number, add: Add): string | undefined {
  if (value instanceof Tensor) return add(value, given);
  const { parts, structures } = given;
  if (!isStructure(value)) {
    parts.push(value);
    return undefined;
  }
  if (depth > mostDepth) return `an argument has more than ${mostDepth} levels`;
  const keys = keysOf(value);
  if (keys === undefined)
    return "an array or object in the arguments has holes, further keys, symbols or a prototype of its own";
  structures.push(value);
  if (Array.isArray(value)) {
    parts.push(arrayMark);
    const why = addList(value, given, depth + 1, add);
    if (why !== undefined) return why;
  } else {
    parts.push(objectMark);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      parts.push(key);
      const why = addPart((value as Record<string, unknown>)[key], given, depth + 1, add);
      if (why !== undefined) return why;
    }
  }
  parts.push(endMark);
  return undefined;
}

/** The own keys of an object, or of an array without holes and further keys; undefined with symbols or another prototype. */
function keysOf(value: object): readonly PropertyKey[] | undefined {
  const keys = Reflect.ownKeys(value);
  const isList = Array.isArray(value);
  if (Object.getPrototypeOf(value) !== (isList ? Array : Object).prototype) return undefined;
  if (!isList) return keys.every(isText) ? keys : undefined;
  // An array has its length too.
  if (keys.length !== value.length + 1) return undefined;
  for (let i = 0; i < value.length; i++)
    if (value[i] === undefined && !Object.hasOwn(value, i)) return undefined;
  return keys;
}

function isText(key: PropertyKey): boolean {
  return typeof key === "string";
}

/** True for an array or object that its elements, or the values of its keys, make again. */
function isPlain(value: object): boolean {
  return keysOf(value)?.length === Object.keys(value).length + (Array.isArray(value) ? 1 : 0);
}

function addTensor(tensor: Tensor, given: Given): string | undefined {
  const { storage } = tensor;
  if (!(storage instanceof PooledStorage) || storage.shared || storage.disposed)
    return "the host shares an argument's memory, or an argument is disposed of";
  const value = valueIn(storage);
  // As a tape numbers its leaves.
  if (value.tape !== given) {
    value.tape = given;
    value.ref = given.storages.push(storage) - 1;
  }
  given.numbers.push(value.ref);
  given.parts.push(tensor);
  return undefined;
}

/** True for arrays and plain objects. */
function isStructure(value: unknown): value is object {
  if (typeof value !== "object" || value === null || types.isProxy(value)) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The memory of the tensors that a function holds, as far as its calls have shown. */
export type Held = Pick<WeakSet<PooledStorage>, "has">;

/**
 * The key of equal calls: values, structure, the dtypes and layouts of tensors, and which of them the function holds: a call that
 * passes one of these may not be told from one that passes another tensor.
 */
export class ArgumentClass {
  readonly #parts: readonly unknown[];
  readonly #numbers: readonly number[];
  /** For each of the arguments' storages: the storage itself if the function holds it. */
  readonly #held: readonly (WeakRef<PooledStorage> | undefined)[];

  constructor({ parts, numbers, storages }: Given, held: Held) {
    this.#parts = parts.map((part) => (part instanceof Tensor ? new TensorClass(part) : part));
    this.#numbers = numbers;
    this.#held = storages.map((storage) => (held.has(storage) ? new WeakRef(storage) : undefined));
  }

  /** True for arguments of this class. */
  has({ parts, numbers, storages }: Given, held: Held): boolean {
    if (parts.length !== this.#parts.length || !sameNumbers(numbers, this.#numbers)) return false;
    for (let i = 0; i < storages.length; i++) {
      const storage = storages[i] as PooledStorage;
      if (this.#held[i]?.deref() !== (held.has(storage) ? storage : undefined)) return false;
    }
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
  /** The memory in it that is neither an argument's nor a result's. */
  readonly held: readonly PooledStorage[];
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
  if (!isStructure(result) || given.structures.includes(result) || !isPlain(result)) return undefined;
  const forms = Object.values(result).map((one) => formOfResult(one, given, tape, tensors));
  if (!forms.every((form) => form !== undefined)) return undefined;
  return Array.isArray(result) ? formOfList(forms) : formOfRecord(Object.keys(result), forms);
}

// Functions of their own: a closure keeps alive what closures beside it name, such as the first call's tensors.
function formOfConstant(value: unknown): ResultForm {
  return { make: () => value, text: `${typeof value} ${String(value)}`, held: [] };
}

function formOfList(forms: readonly ResultForm[]): ResultForm {
  return {
    make: (given, memory, made) => forms.map((form) => form.make(given, memory, made)),
    text: `[${forms.map(({ text }) => text).join(", ")}]`,
    held: forms.flatMap(({ held }) => held),
  };
}

function formOfRecord(keys: readonly string[], forms: readonly ResultForm[]): ResultForm {
  return {
    make: (given, memory, made) =>
      Object.fromEntries(forms.map((form, i) => [keys[i], form.make(given, memory, made)])),
    text: `{${forms.map(({ text }, i) => `${keys[i]}: ${text}`).join(", ")}}`,
    held: forms.flatMap(({ held }) => held),
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
    held: form.held,
  };
}

function formOfRepeated(number: number): ResultForm {
  return { make: (_, _memory, made) => made[number], text: `tensor ${number} of the result`, held: [] };
}

function formOfTensor(tensor: Tensor, given: Given, tape: Tape): ResultForm | undefined {
  const at = given.parts.indexOf(tensor);
  if (at >= 0) return { make: ({ parts }) => parts[at], text: `argument ${at}`, held: [] };
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
      held: [],
    };
  }
  if (tape.made?.has(value)) return undefined;
  const source: Source = number < 0 ? storage : number;
  return {
    make: ({ storages }) => new Tensor(storageAt(source, storages), offset, shape, strides, dtype),
    text: `memory ${number} ${layout}`,
    held: number < 0 ? [storage] : [],
  };
}
