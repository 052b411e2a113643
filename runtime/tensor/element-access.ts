// `x[0]` and `x[0] = 5`, which unchecked JavaScript allows: errors that say how elements are read and written. The end of a
// tensor's prototype chain is a proxy; only properties that no tensor has reach it, so that access to the others costs nothing.
import { JitlabError, show } from "../base/errors.js";

// An index, a slice, several of them, or a tensor as text.
const position = /^-?\d+$|^[-\d\s]*[:,]|^tensor\(/;

/** The prototype of the tensors' prototype. */
export const elementAccess: object = new Proxy(Object.create(Object.prototype) as object, {
  get(target, key, receiver) {
    const name = nameOf(key);
    if (typeof key === "string" && Object.hasOwn(torchGradients, key)) throw noGraph(key);
    if (name === undefined) return Reflect.get(target, key, receiver);
    throw new JitlabError("bad-index", `x[${name}] reads no element of a tensor.`, `Write x.at(${name}).`);
  },
  set(target, key, value, receiver) {
    const name = nameOf(key);
    if (typeof key === "string" && Object.hasOwn(torchGradients, key)) throw noGraph(key);
    if (name === undefined) return Reflect.set(target, key, value, receiver);
    throw new JitlabError(
      "bad-index",
      `x[${name}] = ${show(value)} writes no element of a tensor.`,
      `Write x.set(${name}, ...).`,
    );
  },
});

// PyTorch's names for derivatives that tensors carry.
const torchGradients = {
  requiresGrad: 1,
  requires_grad: 1,
  requiresGrad_: 1,
  requires_grad_: 1,
  backward: 1,
};

function noGraph(name: string): JitlabError {
  return new JitlabError(
    "no-derivative",
    `Tensors have no ${name}: functions are differentiated.`,
    "Write const { value, grad } = jl.gradients(() => loss(parameters), parameters), or jl.valueAndGrad(loss)(parameters).",
  );
}

/** How the index of an element is written as an argument; undefined for other properties. */
function nameOf(key: string | symbol): string | undefined {
  if (typeof key !== "string" || !position.test(key)) return undefined;
  if (key.startsWith("tensor(")) return "[mask]";
  return /^-?\d+$/.test(key) ? key : JSON.stringify(key);
}
