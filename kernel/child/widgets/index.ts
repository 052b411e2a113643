// `import { slider, interact } from "jitlab/widgets"` in a cell: the module's types. The child makes its functions for each
// notebook (make.ts), by the protocol of ipywidgets, whose front end draws them.
import type { Controls } from "./controls.js";
import type { Interact } from "./interact.js";

export type { Button, ControlOptions, DropdownOptions, OutputPlace, SliderOptions } from "./controls.js";
export type { Control, ControlValue, Interact } from "./interact.js";
export type { AnyWidget, Widget } from "./widget.js";

/** A slider of numbers. */
export declare const slider: Controls["slider"];
/** A box to tick. */
export declare const checkbox: Controls["checkbox"];
/** A line of text. */
export declare const text: Controls["text"];
/** One of several choices. */
export declare const dropdown: Controls["dropdown"];
/** A button. */
export declare const button: Controls["button"];
/** HTML to show. */
export declare const html: Controls["html"];
/** An image by its bytes. */
export declare const picture: Controls["picture"];
/** A bar that fills. */
export declare const progress: Controls["progress"];
/** Widgets one below the other. */
export declare const column: Controls["column"];
/** Widgets side by side. */
export declare const row: Controls["row"];
/** A place for outputs. */
export declare const output: Controls["output"];
/** A function whose arguments are controls. */
export declare const interact: Interact;
