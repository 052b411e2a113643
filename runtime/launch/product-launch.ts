// Matrix products by the device's library, if it has one. The code for a form of product is kept like a kernel, so that
// recordings and graphs include it.
import { sha256 } from "../base/builtins.js";
import { JitlabError } from "../base/errors.js";
import { report } from "../cache/report.js";
import type { Device, FactorForm, ProductForm, ProductLibrary } from "../device/device.js";
import { computePending, type View } from "../geometry/view.js";
import { writeAddress } from "./argument-writers.js";
import { LoadedKernel } from "./loaded-kernel.js";
import { lists } from "./sink.js";
import { KernelClock } from "./timings.js";

const mostForms = 256;
const largestAlignment = 256;
// The integer type of most libraries.
const largestExtent = 2 ** 31 - 1;

const libraries = new Map<Device, ProductLibrary | undefined>();
const products = new Map<string, LoadedKernel | undefined>();

/** The device's product library; a damaged one is reported once and not used. */
export function productLibrary(device: Device): ProductLibrary | undefined {
  if (libraries.has(device)) return libraries.get(device);
  let library: ProductLibrary | undefined;
  try {
    library = device.products?.();
  } catch (error) {
    if (!(error instanceof JitlabError) || error.code !== "library-damaged") throw error;
    report("products", `${error.message}\nUntil then compiled kernels multiply, more slowly.`);
  }
  libraries.set(device, library);
  return library;
}

/** The layout of a factor `[batch, down, across]` for a library; undefined if neither rows nor columns are contiguous. */
function formOf({ shape, strides }: View): FactorForm | undefined {
  const [batch, down, across] = shape as [number, number, number];
  const [apart, downStep, acrossStep] = strides as [number, number, number];
  const fits = (step: number, run: number) => step >= run && step <= largestExtent;
  const distance = batch === 1 ? 0 : apart;
  if (distance < 0) return undefined;
  if (across === 1 || acrossStep === 1) {
    const leading = down === 1 ? across : downStep;
    if (fits(leading, across)) return { transposed: false, leading, batchStride: distance };
  }
  if (down === 1 || downStep === 1) {
    const leading = across === 1 ? down : acrossStep;
    if (fits(leading, down)) return { transposed: true, leading, batchStride: distance };
  }
  return undefined;
}

/** True if a library can read a factor's layout; others are copied first. */
export function isFactor(view: View): boolean {
  return formOf(view) !== undefined;
}

/** Multiplies `[batch, rows, inner]` and `[batch, inner, columns]` by the library; false if it cannot. */
export function launchProduct(library: ProductLibrary, out: View, left: View, right: View): boolean {
  const { device, dtype } = out;
  const leftForm = formOf(left);
  const rightForm = formOf(right);
  const [batch, rows, inner] = left.shape as [number, number, number];
  const columns = right.shape[2] as number;
  if (!leftForm || !rightForm || !library.dtypes.includes(dtype.name)) return false;
  if (Math.max(batch, rows, inner, columns) > largestExtent) return false;
  computePending([out, left, right]);
  const pointers = [out.pointer, left.pointer, right.pointer];
  let alignment = largestAlignment;
  while (pointers.some((pointer) => pointer % alignment !== 0)) alignment /= 2;
  const form = {
    dtype: dtype.name,
    batch,
    rows,
    columns,
    inner,
    left: leftForm,
    right: rightForm,
    alignment,
  };
  const kernel = productOf(library, form, device);
  if (!kernel) return false;
  if (lists("matmul", () => ({ request: kernel.request, isCompiled: true }))) return true;
  const { u32 } = kernel.fill();
  pointers.forEach((pointer, i) => {
    writeAddress(u32, 2 * i, pointer);
  });
  kernel.launch(kernel.over(1), [out], [left, right]);
  return true;
}

function productOf(library: ProductLibrary, form: ProductForm, device: Device): LoadedKernel | undefined {
  const { dtype, batch, rows, columns, inner, left, right, alignment } = form;
  const factor = ({ transposed, leading, batchStride }: FactorForm) =>
    `${transposed ? "t" : ""}${leading}+${batchStride}`;
  const name = `${device.id} ${dtype} ${batch}x${rows}x${columns}x${inner} ${factor(left)} ${factor(right)} ${alignment}`;
  const kernel = products.has(name) ? products.get(name) : load(library, form, device, name);
  // Keeps the most recently used forms.
  products.delete(name);
  products.set(name, kernel);
  if (products.size > mostForms) {
    const [oldest, unused] = products.entries().next().value as [string, LoadedKernel | undefined];
    products.delete(oldest);
    unused?.release();
  }
  return kernel;
}

function load(
  library: ProductLibrary,
  form: ProductForm,
  device: Device,
  name: string,
): LoadedKernel | undefined {
  const began = performance.now();
  const code = library.load(form);
  if (!code) return undefined;
  const loadMs = performance.now() - began;
  const request = {
    source: `// A product by ${library.name} (${library.path}): ${JSON.stringify(form)}\n`,
    symbol: "matmul",
    op: "matmul",
    variant: library.name,
    dtypes: [form.dtype],
    target: device.target,
    division: { threads: 1, perThread: 1 },
    argumentBytes: 24,
  };
  const phases = { generateMs: 0, lookupMs: 0, compileMs: 0, loadMs };
  const clock = new KernelClock(request, sha256(name), device.name, "disk", phases);
  const kernel = new LoadedKernel(device, code, clock, request, request.argumentBytes, () => {});
  kernel.addressing = { offsets: [0, 8, 16], alignment: form.alignment, among: largestAlignment };
  return kernel.retain();
}
