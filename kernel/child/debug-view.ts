// The view of this process for a debugger while it is stopped or idle: the notebook's variables, one-line tensors, a value's
// display. The inspector calls it by a symbol.
import type { MimeBundle } from "./channel.js";
import type { Displays } from "./display.js";

interface TensorLike {
  readonly dtype: unknown;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly device: { readonly name: string };
  readonly ndim: number;
  readonly size: number;
  at(...indexes: number[]): TensorLike;
  slice(range: string): TensorLike;
  item(): unknown;
  toArray(): unknown;
}

const shownValues = 5;

/** Offers the view of a notebook's variables to the inspector. */
export function installDebugView(locals: Record<string, unknown>, displays: Displays): void {
  const names = () => Object.keys(locals).filter((name) => !/^(?:__|\$)/.test(name));
  let exposed: string[] = [];
  const view = {
    variables: () => Object.fromEntries(names().map((name) => [name, read(locals, name)])),
    describe: (owner: Record<string, unknown>) => {
      const tensors = Object.keys(owner).filter((name) => isTensor(read(owner, name)));
      return Object.fromEntries(tensors.map((name) => [name, describe(owner[name] as TensorLike)]));
    },
    describeValue: (value: unknown) => (isTensor(value) ? describe(value) : undefined),
    display: (value: unknown): MimeBundle => {
      const bundle = displays.bundleOf(value);
      return bundle instanceof Promise ? { "text/plain": String(value) } : bundle;
    },
    // In a cell's JavaScript, names of other cells are members of `exports`; an expression of the user's finds them as
    // globals.
    expose: () => {
      exposed = names().filter((name) => !(name in globalThis));
      for (const name of exposed) {
        const get = () => locals[name];
        const set = (value: unknown) => {
          locals[name] = value;
        };
        Object.defineProperty(globalThis, name, { get, set, configurable: true });
      }
    },
    hide: () => {
      for (const name of exposed) Reflect.deleteProperty(globalThis, name);
    },
  };
  Object.defineProperty(globalThis, Symbol.for("jitlab.debug-view"), { value: view });
}

function read(owner: Record<string, unknown>, name: string): unknown {
  try {
    return owner[name];
  } catch {
    return undefined; // a getter of the user's
  }
}

function isTensor(value: unknown): value is TensorLike {
  const tensor = value as Partial<TensorLike> | null | undefined;
  return tensor?.constructor?.name === "Tensor" && Array.isArray(tensor.shape) && "dtype" in tensor;
}

function describe(tensor: TensorLike): string {
  try {
    const { dtype, shape, device } = tensor;
    return `Tensor ${dtype} [${shape.join(", ")}] on ${device.name}: ${firstValues(tensor)}`;
  } catch (error) {
    return `Tensor: ${(error as Error).message.split("\n")[0]}`; // disposed, for example
  }
}

// Only contiguous values, because gathering others would launch a kernel.
function firstValues(tensor: TensorLike): string {
  if (tensor.ndim === 0) return String(tensor.item());
  if (tensor.shape.includes(0)) return "empty";
  let row = tensor;
  while (row.ndim > 1) row = row.at(0);
  const together = row.strides[0] === 1 || row.shape[0] === 1;
  const values = together ? (row.slice(`:${shownValues}`).toArray() as unknown[]).map(String) : [];
  return (values.length < tensor.size ? [...values, "..."] : values).join(", ");
}
