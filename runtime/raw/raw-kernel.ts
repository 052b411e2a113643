// A raw CUDA kernel: its text and declaration, the request that compiles it, and its launches. Like every kernel, it uses
// the cache, and clocks, recordings and graphs include it. Deferred operations are computed before a launch.
import { JitlabError, show } from "../base/errors.js";
import type { Device, KernelResources, Target } from "../device/device.js";
import type { BlockConfig, LaunchLimits } from "../device/loaded-code.js";
import type { TextPlace } from "../functor/functor.js";
import { computePending, isView, type View } from "../geometry/view.js";
import { defaultDevice, getDevice } from "../launch/devices.js";
import { KernelTables } from "../launch/kernel-tables.js";
import type { LoadRequest } from "../launch/load-request.js";
import { type LoadedKernel, loadKernel } from "../launch/loaded-kernel.js";
import { fetchCode } from "../launch/obtain.js";
import { launching, openSink } from "../launch/sink.js";
import { type RawSlot, type RawValue, slotOf } from "./arguments.js";
import { badKernel, type RawDeclaration, type RawParameter, rawDeclarationOf } from "./declaration.js";
import { elementTypes } from "./element-types.js";
import { type EntryLayout, entryLayout } from "./entry-layout.js";
import { checkLimits, launchOf } from "./launch-shape.js";

/** Options of a raw kernel. */
export interface RawOptions {
  /** The template's arguments in order, as in C++: `["float", 16]`. */
  readonly templates?: readonly (string | number | boolean)[] | undefined;
  /** NVRTC flags, such as `-DTILE=32` or `--use_fast_math`. */
  readonly flags?: readonly string[] | undefined;
  /** The text's source position, for compile errors. */
  readonly place?: TextPlace | undefined;
}

interface LoadedRaw {
  readonly kernel: LoadedKernel;
  readonly slots: readonly RawSlot[];
  readonly limits: LaunchLimits;
}

const kernels = new KernelTables<LoadedRaw>();
let instances = 0;

/** A kernel of a user's text. */
export class RawCode {
  /** The kernel's name without its namespaces. */
  readonly name: string;
  readonly declaration: RawDeclaration;
  /** The parameters with the template's arguments in their types. */
  readonly parameters: readonly RawParameter[];
  readonly #expression: string;
  readonly #variant: string;
  readonly #constants = new Map<string, Uint8Array>();
  // Each kernel loads its own code, because its constant memory is separate.
  readonly #instance = ++instances;
  #layout: EntryLayout = { fields: [], bytes: 0 };

  constructor(
    readonly source: string,
    name: string,
    readonly options: RawOptions,
  ) {
    this.declaration = rawDeclarationOf(source, name);
    this.name = name.split("::").at(-1) ?? name;
    const given = this.#templates();
    this.#variant = given.length === 0 ? "raw" : `<${given.join(", ")}>`;
    this.#expression = this.declaration.template.length === 0 ? name : `${name}<${given.join(", ")}>`;
    const types = new Map(
      this.declaration.template.map((one, i) => [one.name, given[i] ?? one.value ?? one.name]),
    );
    this.parameters = this.declaration.parameters.map((one) => ({
      ...one,
      type: types.get(one.type) ?? one.type,
    }));
  }

  /** The compile request. */
  request(target: Target): Omit<LoadRequest, "argumentBytes"> {
    const { flags } = this.options;
    if (target.kind !== "cuda") {
      throw notCuda(
        `${this.name} is a CUDA kernel, and has no code for ${target.kind}.`,
        "Request its code for cuda.",
      );
    }
    return {
      source: `#line 1 "${this.name}"\n${this.source.trimEnd()}\n`,
      symbol: this.#expression,
      named: true,
      op: this.name,
      variant: this.#variant,
      dtypes: this.parameters
        .filter(({ pointer }) => pointer)
        .map(({ type }) => elementTypes(type)?.[0] ?? type),
      target,
      fma: true,
      ...(flags && { flags }),
      userText: this.source,
      division: { threads: 1, perThread: 1 },
      instance: this.#instance,
      constants: this.#constants,
    };
  }

  /** Launches the kernel; throws before the launch if an argument is invalid. */
  launch(given: unknown, values: readonly unknown[]): void {
    const { name, parameters } = this;
    const config = launchOf(name, given);
    if (values.length !== parameters.length) {
      const list = parameters.map((one) => one.name).join(", ");
      throw new JitlabError(
        "argument-count",
        `${name} takes ${parameters.length} arguments (${list}), but got ${values.length}.`,
        "They come after the launch, in the order of the declaration.",
      );
    }
    const device = this.#deviceOf(values);
    computePending(values.filter(isView));
    const table = kernels.of(this);
    const { kernel, slots, limits } = table.find(device.id) ?? table.add(device.id, () => this.#load(device));
    const outputs: View[] = [];
    const read: View[] = [];
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as RawSlot;
      slot.check(values[i]);
      if (isView(values[i])) (slot.parameter.constant ? read : outputs).push(values[i] as View);
    }
    if (config === undefined) return;
    checkLimits(name, config, limits, device.name);
    const run = () => {
      const block = kernel.fill();
      for (let i = 0; i < slots.length; i++) slots[i]?.write(block, values[i] as RawValue);
      kernel.launch(config, outputs, read);
      return outputs;
    };
    if (openSink() === undefined) run();
    else launching({ kind: "launch", name, inputs: read, out: outputs, run });
  }

  /** Fills constant memory of the kernel on all its devices. */
  setConstant(name: string, values: ArrayBufferView): void {
    if (!ArrayBuffer.isView(values)) {
      throw new JitlabError(
        "bad-argument",
        `${this.name}: the values of ${name} are ${show(values)}.`,
        "Pass a typed array of the variable's size.",
      );
    }
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
    for (const { kernel } of kernels.of(this).entries()) this.#writeConstant(kernel, name, bytes);
    this.#constants.set(name, bytes);
  }

  /** The kernel's use of a multiprocessor, and its occupancy if its device is open. */
  resources(device: Device | undefined, target: Target, config?: BlockConfig): KernelResources | undefined {
    const { binary, symbol } = fetchCode(this.request(target));
    return device?.resources?.(binary, symbol, config) ?? target.resources?.(binary, symbol);
  }

  /** Frees the loaded code. */
  unload(): void {
    kernels.of(this).clear();
  }

  #load(device: Device): LoadedRaw {
    const argumentBytes = (ptx: string): number => {
      this.#layout = entryLayout(ptx);
      return this.#layout.bytes;
    };
    const kernel = loadKernel({ ...this.request(device.target), argumentBytes }, device, 0);
    const { fields } = this.#layout;
    if (fields.length !== this.parameters.length) {
      throw badKernel(
        `${this.name} declares ${this.parameters.length} parameters, but the compiler found ${fields.length}.`,
        "Write its parameters without macros.",
      );
    }
    for (const [name, bytes] of this.#constants) this.#writeConstant(kernel, name, bytes);
    const slots = this.parameters.map((one, i) =>
      slotOf(this.name, one, fields[i] as EntryLayout["fields"][number]),
    );
    return { kernel, slots, limits: kernel.code.limits?.() as LaunchLimits };
  }

  #writeConstant({ code }: LoadedKernel, name: string, bytes: Uint8Array): void {
    const size = code.writeVariable?.(name, bytes);
    if (size === bytes.byteLength) return;
    const { constants } = this.declaration;
    if (size !== undefined) {
      throw new JitlabError(
        "bad-argument",
        `${this.name}: ${name} has ${size} bytes, but got ${bytes.byteLength}.`,
        "Pass a typed array of its size.",
      );
    }
    throw new JitlabError(
      "bad-argument",
      `${this.name}: the text has no variable ${JSON.stringify(name)}.`,
      constants.length === 0
        ? "Declare it outside of functions: __constant__ float weights[9];"
        : `Its constant memory is ${constants.join(", ")}.`,
    );
  }

  #deviceOf(values: readonly unknown[]): Device {
    let device: Device | undefined;
    let first = "";
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (!isView(value)) continue;
      const name = this.parameters[i]?.name ?? "";
      const own = value.device;
      if (own.target.kind !== "cuda")
        throw notCuda(
          `${this.name} is a CUDA kernel, but ${name} is on ${own.name}.`,
          'Move it with x.to("cuda").',
        );
      if (device !== undefined && own !== device) {
        throw new JitlabError(
          "mixed-devices",
          `${this.name}: ${first} is on ${device.name} and ${name} on ${own.name}.`,
          `Move one of them, for example with x.to("${device.name}").`,
        );
      }
      if (device === undefined) first = name;
      device = own;
    }
    if (device !== undefined) return device;
    const usual = defaultDevice();
    return usual.target.kind === "cuda" ? usual : getDevice("cuda");
  }

  #templates(): readonly string[] {
    const { template } = this.declaration;
    const given = (this.options.templates ?? []).map(String);
    const required = template.filter(({ value }) => value === undefined).length;
    if (given.length >= required && given.length <= template.length) return given;
    const names = template.map(({ name }) => name).join(", ");
    throw badKernel(
      template.length === 0
        ? `${this.name} is not a template, but templates are ${show(this.options.templates)}.`
        : `${this.name} is a template over ${names}, but templates are ${show(given)}.`,
      template.length === 0
        ? "Leave templates out."
        : 'Pass them in order, as in C++: { templates: ["float", 16] }.',
    );
  }
}

function notCuda(what: string, help: string): JitlabError {
  return new JitlabError("raw-kernel-device", what, `${help} Functors of jl.jit run on every device.`);
}
