// The state of a widget that the kernel and the front end share.

/** The shared state of a widget, by ipywidgets' names. */
export type State = Record<string, unknown>;
