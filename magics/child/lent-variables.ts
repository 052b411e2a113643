// The notebook's variables while a cell runs on another device: the tensors that it reads through them have copies of their
// memory there, and its assignments are dropped.
import { types } from "node:util";
import type { Library, Tensor } from "../library.js";
import type { MagicContext } from "./context.js";

type Storage = Tensor["storage"];

/**
 * Moves the memory of the tensors that are read from the notebook's variables from now on to copies on a device, once for
 * each memory. The returned function gives tensors their memory and variables their values back, as the cell's end does.
 */
export function lendVariables({ host, jl }: MagicContext, device: string): () => void {
  const { locals } = host;
  const before = Object.getOwnPropertyDescriptors(locals);
  const own = new Map<Tensor, Storage>();
  const copies = new Map<Storage, Storage>();
  const seen = new Set<unknown>();
  const move = (tensor: Tensor) => {
    const { storage } = tensor;
    if (storage.disposed) return;
    own.set(tensor, storage);
    if (!copies.has(storage)) copies.set(storage, copyOf(jl, storage, device));
    setStorage(tensor, copies.get(storage) as Storage);
  };
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    for (const [tensor, storage] of own) setStorage(tensor, storage);
    Object.defineProperties(locals, before);
  };
  host.after(end);
  /** Returns whether the value has code. */
  const lend = (value: unknown): boolean => {
    const { tensors, hasCode } = partsOf(jl, value, seen);
    tensors.forEach(move);
    return hasCode;
  };
  for (const [name, property] of Object.entries(before)) {
    if (!property.configurable) continue;
    const get = () => {
      const value = property.get ? property.get.call(locals) : property.value;
      // A function reads the constants of its own cell, of which it tells nothing.
      if (lend(value))
        for (const { value: other, enumerable } of Object.values(before)) if (enumerable) lend(other);
      return value;
    };
    const set = (value: unknown) =>
      Object.defineProperty(locals, name, { ...flags(property), value, writable: true });
    Object.defineProperty(locals, name, { ...flags(property), get, set });
  }
  return end;
}

function flags({ enumerable, configurable }: PropertyDescriptor): PropertyDescriptor {
  return { enumerable: enumerable ?? false, configurable: configurable ?? false };
}

function setStorage(tensor: Tensor, storage: Storage): void {
  (tensor as { storage: Storage }).storage = storage;
}

/** All bytes of a memory, so that views of it share the copy. */
function copyOf(jl: Library, storage: Storage, device: string): Storage {
  // The cell may read it in a compiled function.
  return jl.eager(() => {
    const { dtype } = jl.empty([0], { dtype: "uint8" });
    const bytes = new jl.Tensor(storage, 0, [storage.bytes], [1], dtype);
    const there = bytes.to(device);
    return (there === bytes ? bytes.clone() : there).storage;
  });
}

/**
 * The tensors in a value that were not seen before: in arrays, maps, sets and fields of objects. Getters are not run. It has
 * code if it contains functions or instances of classes, except for the library.
 */
function partsOf(jl: Library, value: unknown, seen: Set<unknown>): { tensors: Tensor[]; hasCode: boolean } {
  const tensors: Tensor[] = [];
  let hasCode = false;
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    hasCode ||= typeof one === "function";
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    if (ArrayBuffer.isView(one) || types.isProxy(one)) continue;
    seen.add(one);
    if (one instanceof jl.Tensor) tensors.push(one);
    else if (one instanceof Map) for (const entry of one) rest.push(...entry);
    else if (one instanceof Set || Array.isArray(one)) for (const part of one) rest.push(part);
    else if ((one as Partial<Library>).Tensor !== jl.Tensor) {
      hasCode ||= ![Object.prototype, null].includes(Object.getPrototypeOf(one));
      for (const property of Object.values(Object.getOwnPropertyDescriptors(one))) rest.push(property.value);
    }
  }
  return { tensors, hasCode };
}
