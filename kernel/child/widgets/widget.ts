// One widget: a model whose state the kernel and the front end share by a comm, in the protocol of ipywidgets 8. The front
// end draws it; children are known by the ids of their comms.
import type { MimeBundle } from "../channel.js";
import type { Comm, CommEvent, Comms } from "../comms.js";
import { type State, stillOf } from "./still.js";

const protocol = { metadata: { version: "2.1.0" } };
const families = {
  controls: { module: "@jupyter-widgets/controls", version: "2.0.0" },
  output: { module: "@jupyter-widgets/output", version: "1.0.0" },
} as const;

/** The model and view of a kind of widget, and the form of its value in the state. */
export interface Kind<V> {
  /** Such as `FloatSlider`. */
  readonly name: string;
  readonly family?: keyof typeof families;
  /** The view's name without `View`, where it is another. */
  readonly view?: string;
  read(state: State): V;
  write(value: V): State;
}

/** The open widgets of one notebook. */
export class WidgetTable {
  readonly #open = new Map<string, Widget<unknown>>();

  constructor(readonly comms: Comms) {
    // A front end that reopens the notebook requests all states in one message.
    comms.register("jupyter.widget.control", (comm) => {
      comm.onMessage = ({ data }) => {
        if ((data as State).method === "request_states") comm.send(...this.#states());
      };
    });
  }

  /** Makes a widget known. */
  add(widget: Widget<unknown>): void {
    this.#open.set(widget.id, widget);
  }

  remove(widget: Widget<unknown>): void {
    this.#open.delete(widget.id);
  }

  /** The state of an open widget by the name that boxes give it. */
  readonly stateOf = (reference: string): State | undefined =>
    this.#open.get(reference.slice(referenceStart.length))?.state;

  #states(): [State, { buffers: Uint8Array[] }] {
    const states: State = {};
    const paths: string[][] = [];
    const buffers: Uint8Array[] = [];
    for (const widget of this.#open.values()) {
      const { _model_name, _model_module, _model_module_version } = widget.state;
      const [state, binary] = withoutBytes(widget.state);
      const model = { model_name: _model_name, model_module: _model_module, state };
      states[widget.id] = { ...model, model_module_version: _model_module_version };
      for (const [key, bytes] of binary) {
        paths.push([widget.id, "state", key]);
        buffers.push(bytes);
      }
    }
    return [{ method: "update_states", states, buffer_paths: paths }, { buffers }];
  }
}

const referenceStart = "IPY_MODEL_";

/** The reference to a widget in the state of a box. */
export function referenceTo({ id }: AnyWidget): string {
  return `${referenceStart}${id}`;
}

/** A widget of any value. */
export interface AnyWidget {
  readonly id: string;
  readonly value: unknown;
  observe(listener: () => unknown): () => void;
}

/**
 * A widget. A notebook shows it as a cell's value; `value` is its value, and `observe` listens to changes in the front end.
 */
export class Widget<V> {
  readonly #kind: Kind<V>;
  readonly #comm: Comm;
  readonly #listeners = new Set<(value: V) => unknown>();
  readonly #table: WidgetTable;
  /** @internal The state that the front end has. */
  readonly state: State;
  /**
   * @internal Called with messages other than state changes, such as a click.
   */
  onEvent: ((content: State) => unknown) | undefined;
  /** @internal The promises to wait for before it is shown. */
  ready: Promise<unknown> | undefined;

  /** Widgets are made by slider(), button() and the like. */
  constructor(table: WidgetTable, kind: Kind<V>, state: State) {
    const { module, version } = families[kind.family ?? "controls"];
    this.#kind = kind;
    this.#table = table;
    this.state = {
      _model_module: module,
      _model_module_version: version,
      _model_name: `${kind.name}Model`,
      _view_module: module,
      _view_module_version: version,
      _view_name: `${kind.view ?? kind.name}View`,
      ...state,
    };
    const [sent, binary] = withoutBytes(this.state);
    const data = { state: sent, buffer_paths: binary.map(([key]) => [key]) };
    this.#comm = table.comms.open("jupyter.widget", data, {
      ...protocol,
      buffers: binary.map(([, bytes]) => bytes),
    });
    this.#comm.onMessage = (event) => this.#receive(event);
    this.#comm.onClose = () => table.remove(this as Widget<unknown>);
    table.add(this as Widget<unknown>);
  }

  /** The name by which the front end knows it. */
  get id(): string {
    return this.#comm.id;
  }

  get value(): V {
    return this.#kind.read(this.state);
  }

  /** Shows another value, without calling listeners. */
  set value(value: V) {
    this.set(this.#kind.write(value));
  }

  /** Calls `listener` with each value that the front end chooses; the returned function ends that. */
  observe(listener: (value: V) => unknown): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Removes it from every front end. */
  close(): void {
    this.#table.remove(this as Widget<unknown>);
    this.#comm.close();
  }

  /** @internal Changes parts of the state here and in the front end. */
  set(change: State): void {
    Object.assign(this.state, change);
    const [state, binary] = withoutBytes(change);
    const data = { method: "update", state, buffer_paths: binary.map(([key]) => [key]) };
    this.#comm.send(data, { buffers: binary.map(([, bytes]) => bytes) });
  }

  toString(): string {
    const { description } = this.state;
    const name = typeof description === "string" && description !== "" ? `${description}: ` : "";
    return `${name}${this.value === undefined ? this.#kind.name : String(this.value)}`;
  }

  [Symbol.for("Jupyter.display")](): MimeBundle | Promise<MimeBundle> {
    return this.ready === undefined ? this.bundle() : this.ready.then(() => this.bundle());
  }

  /**
   * @internal Its view, and its fallback elsewhere.
   */
  bundle(): MimeBundle {
    return {
      "application/vnd.jupyter.widget-view+json": { version_major: 2, version_minor: 0, model_id: this.id },
      "text/html": stillOf(this.state, this.#table.stateOf),
      "text/plain": this.toString(),
    };
  }

  // The kernel is busy until the listeners have ended, so that a front end does not send faster than they answer.
  async #receive({ data }: CommEvent): Promise<void> {
    const { method, state = {}, content = {} } = data as { method?: string; state?: State; content?: State };
    if (method === "request_state") this.set(this.state);
    if (method === "custom") await this.onEvent?.(content);
    if (method !== "update") return;
    Object.assign(this.state, state);
    for (const listener of [...this.#listeners]) await listener(this.value);
  }
}

// Bytes travel beside the message.
function withoutBytes(state: State): [State, [key: string, bytes: Uint8Array][]] {
  const entries = Object.entries(state);
  const binary = entries.filter((entry): entry is [string, Uint8Array] => entry[1] instanceof Uint8Array);
  const rest = entries.filter(([, value]) => !(value instanceof Uint8Array));
  return [Object.fromEntries(rest), binary];
}
