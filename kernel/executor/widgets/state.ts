// What the kernel and the front end share of a widget.

/** The shared state of a widget, by ipywidgets' names. */
export type State = Record<string, unknown>;
