// interact(): a function whose arguments are controls. It is called again at every change, and its value replaces the
// earlier one: a functor's parameter changes without compiling.
import { isPromise } from "../built-ins.js";
import { type Capture, currentCell, Interrupted } from "../cell-context.js";
import type { MimeBundle } from "../channel.js";
import { type Controls, childrenOf } from "./controls.js";
import { type AnyWidget, Widget } from "./widget.js";

/** A value that becomes a control: a range with or without a step, choices, a boolean, a text, or a widget. */
export type Control =
  | AnyWidget
  | boolean
  | string
  | readonly [min: number, max: number]
  | readonly [min: number, max: number, step: number]
  | readonly string[]
  | Readonly<Record<string, unknown>>;

/** The value of a control. */
export type ControlValue<C> =
  C extends Widget<infer V>
    ? V
    : C extends boolean
      ? boolean
      : C extends string
        ? string
        : C extends readonly number[]
          ? number
          : C extends readonly (infer Choice)[]
            ? Choice
            : C extends Readonly<Record<string, infer Choice>>
              ? Choice
              : never;

/** Calls a function with the values of controls, in their order, and again whenever one changes. */
export type Interact = <const C extends Readonly<Record<string, Control>>>(
  run: (...values: ControlValue<C[keyof C]>[]) => unknown,
  controls: C,
) => Widget<undefined>;

type BundleOf = (value: unknown) => MimeBundle | Promise<MimeBundle>;

/** Makes the interact() of a notebook. */
export function makeInteract(controls: Controls, bundleOf: BundleOf): Interact {
  const interact: Interact = (run, described) => {
    const inputs = Object.entries(described).map(([name, control]) => controlOf(controls, name, control));
    const picture = controls.picture();
    const output = controls.output();
    const whole = controls.column(...inputs, output);
    const show = async (): Promise<void> => {
      const values = inputs.map((input) => input.value);
      const bundles = await outcomeOf(() => run(...(values as never[])), bundleOf);
      const png = onlyPng(bundles);
      const place: AnyWidget = png === undefined ? output : picture;
      // Images are updated in place, because redrawing would flicker.
      if (png === undefined) output.show(...bundles);
      else picture.set({ value: png, width: String(png.readUInt32BE(16)) });
      if (shownIn !== place) whole.set(childrenOf([...inputs, place]));
      shownIn = place;
    };
    let shownIn: AnyWidget = output;
    for (const input of inputs) input.observe(show);
    const { displays } = currentCell();
    const first = show();
    displays[displays.length] = first;
    whole.ready = first;
    return whole;
  };
  return interact; // by its name, which %whos shows
}

function controlOf(controls: Controls, description: string, control: Control): AnyWidget {
  const options = { description };
  if (control instanceof Widget) return control as AnyWidget;
  if (typeof control === "boolean") return controls.checkbox(control, options);
  if (typeof control === "string") return controls.text(control, options);
  if (isRange(control)) {
    const [min, max, step] = control;
    return controls.slider(min, max, step === undefined ? options : { step, ...options });
  }
  return controls.dropdown(control as Readonly<Record<string, unknown>>, options);
}

function isRange(control: Control): control is readonly [number, number] | readonly [number, number, number] {
  return Array.isArray(control) && control.length >= 2 && control.every((one) => typeof one === "number");
}

// The bytes of a PNG, where that is all there is to show.
function onlyPng([first, ...others]: readonly MimeBundle[]): Buffer | undefined {
  const png = first?.["image/png"];
  const richer = first !== undefined && "text/html" in first;
  return others.length === 0 && !richer && typeof png === "string" ? Buffer.from(png, "base64") : undefined;
}

// A call's prints, displays and result, in this order; or its error, because a handler's error is not shown.
async function outcomeOf(run: () => unknown, bundleOf: BundleOf): Promise<MimeBundle[]> {
  const cell = currentCell();
  const outer = cell.capture;
  const capture: Capture = { stdout: "", stderr: "", outputs: [] };
  const last: MimeBundle[] = [];
  cell.capture = capture;
  try {
    const value = run();
    // Output of the cell after interact() is not captured.
    if (!isPromise(value)) cell.capture = outer;
    const settled = await value;
    if (settled !== undefined) last.push(await bundleOf(settled));
  } catch (error) {
    if (Interrupted.is(error)) throw error;
    last.push({ "text/plain": String(error) });
  } finally {
    cell.capture = outer;
  }
  const printed = capture.stdout + capture.stderr;
  const text = printed === "" ? [] : [{ "text/plain": printed.trimEnd() }];
  return [...text, ...capture.outputs.map(({ data }) => data), ...last];
}
