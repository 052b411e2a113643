// A widget as plain HTML, for exported pages and for front ends without ipywidgets: its state when it was shown, with
// disabled controls.
import { escapeHtml, htmlText } from "../../../magics/render/escape.js";
import type { MimeBundle } from "../channel.js";

/** The shared state of a widget, by ipywidgets' names. */
export type State = Record<string, unknown>;

/** Gives the state of the widget that a box calls `IPY_MODEL_...`. */
export type FindState = (reference: string) => State | undefined;

type Still = (state: State, find: FindState) => string;

const labelled =
  (control: Still): Still =>
  (state, find) =>
    line(`${htmlText(String(state.description ?? ""))} ${control(state, find)}`);

const slider = labelled(({ min, max, step, value }) => {
  const range = `min="${min}" max="${max}" step="${step}" value="${value}"`;
  return `<input type="range" disabled style="width: 200px" ${range}> ${Number(Number(value).toPrecision(6))}`;
});

const box =
  (direction: "row" | "column"): Still =>
  ({ children }, find) => {
    const inside = (children as readonly string[]).map((child) => stillOf(find(child) ?? {}, find));
    const style = `display: flex; flex-direction: ${direction}; flex-wrap: wrap; gap: 4px 16px`;
    return `<div style="${style}">${inside.join("")}</div>`;
  };

// By the names of ipywidgets' models.
const stills: Readonly<Record<string, Still>> = {
  IntSliderModel: slider,
  FloatSliderModel: slider,
  CheckboxModel: ({ value, description }) =>
    line(`<input type="checkbox" disabled${value ? " checked" : ""}> ${htmlText(String(description ?? ""))}`),
  TextModel: labelled(({ value }) => `<input type="text" disabled value="${escapeHtml(String(value))}">`),
  DropdownModel: labelled(({ _options_labels, index }) => {
    const chosen = (_options_labels as readonly string[])[Number(index)] ?? "";
    return `<select disabled><option>${htmlText(chosen)}</option></select>`;
  }),
  ButtonModel: ({ description }) => line(`<button disabled>${htmlText(String(description))}</button>`),
  HTMLModel: ({ value }) => `<div>${value}</div>`,
  ImageModel: ({ value, format, width }) => {
    const size = width === undefined ? "" : ` width="${width}"`;
    return `<div><img alt=""${size} src="data:image/${format};base64,${base64(value as Uint8Array)}"></div>`;
  },
  FloatProgressModel: labelled(({ max, value }) => `<progress max="${max}" value="${value}"></progress>`),
  HBoxModel: box("row"),
  VBoxModel: box("column"),
  OutputModel: ({ outputs }) =>
    (outputs as readonly { readonly data: MimeBundle }[]).map(({ data }) => shown(data)).join(""),
};

/** The HTML of a widget's state. */
export function stillOf(state: State, find: FindState): string {
  return stills[String(state._model_name)]?.(state, find) ?? "";
}

function line(inside: string): string {
  return `<div style="display: flex; align-items: center; gap: 8px; font-size: 13px">${inside}</div>`;
}

function shown(data: MimeBundle): string {
  const { "text/html": html, "image/svg+xml": svg, "image/png": png, "text/plain": text } = data;
  if (html !== undefined) return `<div>${html}</div>`;
  if (svg !== undefined) return `<div>${svg}</div>`;
  if (png !== undefined) return `<div><img alt="" src="data:image/png;base64,${png}"></div>`;
  return `<pre>${htmlText(String(text ?? ""))}</pre>`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
