// The controls: a function for each kind of widget, with the few options that notebooks use.
import type { MimeBundle } from "../channel.js";
import type { State } from "./still.js";
import { type AnyWidget, type Kind, referenceTo, Widget, type WidgetTable } from "./widget.js";

/** Options of every control. */
export interface ControlOptions {
  /** The text before it. */
  readonly description?: string;
  readonly disabled?: boolean;
}

/** Options of a slider. */
export interface SliderOptions extends ControlOptions {
  /** The middle unless given. */
  readonly value?: number;
  /** A hundredth of the range unless given; whole numbers make a slider of whole numbers. */
  readonly step?: number;
}

/** Options of a dropdown. */
export interface DropdownOptions<V> extends ControlOptions {
  /** The first choice unless given. */
  readonly value?: V;
}

/** A button: `onClick` is called with each click. */
export interface Button extends Widget<undefined> {
  onClick: (() => unknown) | undefined;
}

/** A place for outputs of cells. */
export interface OutputPlace extends Widget<undefined> {
  /** Shows these MIME bundles instead of the earlier ones. */
  show(...bundles: readonly MimeBundle[]): void;
}

/** The functions that make controls of one notebook. */
export class Controls {
  constructor(readonly table: WidgetTable) {}

  /** A slider of numbers from `min` to `max`. */
  readonly slider = (min: number, max: number, options: SliderOptions = {}): Widget<number> => {
    const { step = (max - min) / 100, value, ...own } = options;
    const whole = Number.isInteger(step) && Number.isInteger(min) && Number.isInteger(max);
    if (!(min < max) || !(step > 0)) {
      throw new RangeError(
        `A slider goes from a number to a greater one by steps, not from ${min} to ${max} by ${step}.`,
      );
    }
    // Twelve digits: steps such as 0.29 do not add up exactly.
    const middle = Number((min + Math.round((max - min) / 2 / step) * step).toPrecision(12));
    const digits = Math.min(6, Math.max(2, Math.ceil(-Math.log10(step))));
    const format = whole ? {} : { readout_format: `.${digits}f` };
    return this.#make(plain(whole ? "IntSlider" : "FloatSlider"), {
      ...format,
      ...{ min, max, step, value: value ?? middle },
      ...own,
    });
  };

  /** A box to tick. */
  readonly checkbox = (value = false, options: ControlOptions = {}): Widget<boolean> =>
    this.#make(plain("Checkbox"), { value, indent: false, ...options });

  /** A line of text. */
  readonly text = (value = "", options: ControlOptions = {}): Widget<string> =>
    this.#make(plain("Text"), { value, ...options });

  /** One of several choices: texts, or an object of values by their texts. */
  readonly dropdown = <V>(
    choices: readonly V[] | Readonly<Record<string, V>>,
    options: DropdownOptions<V> = {},
  ): Widget<V> => {
    const named: [string, V][] = Array.isArray(choices)
      ? choices.map((choice: V) => [String(choice), choice])
      : Object.entries(choices);
    const indexOf = (value: V) => named.findIndex(([, one]) => one === value);
    const kind: Kind<V> = {
      name: "Dropdown",
      read: ({ index }) => named[Number(index)]?.[1] as V,
      write: (value) => ({ index: indexOf(value) }),
    };
    const { value, ...own } = options;
    const index = value === undefined ? 0 : indexOf(value);
    return this.#make(kind, { _options_labels: named.map(([text]) => text), index, ...own });
  };

  /** A button. */
  readonly button = (description: string, onClick?: () => unknown): Button => {
    const made = this.#make(valueless("Button"), { description }) as Button;
    made.onClick = onClick;
    made.onEvent = ({ event }) => (event === "click" ? made.onClick?.() : undefined);
    return made;
  };

  /** HTML to show. */
  readonly html = (value = ""): Widget<string> => this.#make(plain("HTML"), { value });

  /** A PNG or JPEG image, by its bytes. */
  readonly picture = (value: Uint8Array = new Uint8Array(), format = "png"): Widget<Uint8Array> =>
    this.#make(plain("Image"), { value, format });

  /** A bar from 0 to `max`. */
  readonly progress = (max: number, options: ControlOptions = {}): Widget<number> =>
    this.#make(plain("FloatProgress", "Progress"), { value: 0, min: 0, max, ...options });

  /** Widgets one below the other. */
  readonly column = (...children: readonly AnyWidget[]): Widget<undefined> => this.#box("VBox", children);

  /** Widgets side by side. */
  readonly row = (...children: readonly AnyWidget[]): Widget<undefined> => this.#box("HBox", children);

  /** A place for outputs. */
  readonly output = (): OutputPlace => {
    const kind = { ...valueless("Output"), family: "output" as const };
    const show = (...bundles: readonly MimeBundle[]) =>
      made.set({ outputs: bundles.map((data) => ({ output_type: "display_data", data, metadata: {} })) });
    const made: OutputPlace = Object.assign(this.#make(kind, { msg_id: "", outputs: [] }), { show });
    return made;
  };

  #box(name: string, children: readonly AnyWidget[]): Widget<undefined> {
    return this.#make(valueless(name), childrenOf(children));
  }

  #make<V>(kind: Kind<V>, state: State): Widget<V> {
    return new Widget(this.table, kind, state);
  }
}

/** The state of a box: its children by the ids of their comms. */
export function childrenOf(widgets: readonly AnyWidget[]): State {
  return { children: widgets.map(referenceTo) };
}

// A value that stands in the state as it is.
function plain<V>(name: string, view = name): Kind<V> {
  return { name, view, read: ({ value }) => value as V, write: (value) => ({ value }) };
}

function valueless(name: string): Kind<undefined> {
  return { name, read: () => undefined, write: () => ({}) };
}
