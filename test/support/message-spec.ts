// What each message of the protocol must hold, as data. Tests that talk to a kernel check every message they see.
import type { Message } from "../../dist/kernel/protocol/message.js";

type Check = (value: unknown) => boolean;
type Spec = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const count: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const list: Check = Array.isArray;
const fields: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const record =
  (spec: Spec): Check =>
  (value) =>
    fields(value) && Object.entries(spec).every(([key, check]) => check((value as any)[key]));
const mimeBundle: Check = (value) =>
  fields(value) && Object.keys(value as object).every((key) => /^[\w\-+.]+\/[\w\-+.]+$/.test(key));
const version: Check = (value) => typeof value === "string" && /^\d+\.\d+$/.test(value);

const header = record({
  msg_id: text,
  session: text,
  username: text,
  date: (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
  msg_type: text,
  version,
});

const failure: Spec = { status: oneOf("error"), ename: text, evalue: text, traceback: listOf(text) };
const shown: Spec = { data: mimeBundle, metadata: fields, transient: fields };

/** Replies that did what they were asked for. */
const replies: Readonly<Record<string, Spec>> = {
  execute_reply: {
    execution_count: count,
    user_expressions: fields,
    payload: listOf(record({ source: text })),
  },
  complete_reply: { matches: listOf(text), cursor_start: count, cursor_end: count, metadata: fields },
  inspect_reply: { found: flag, data: mimeBundle, metadata: fields },
  is_complete_reply: {
    status: oneOf("complete", "incomplete", "invalid", "unknown"),
    indent: optional(text),
  },
  history_reply: { history: listOf(list) },
  comm_info_reply: { comms: fields },
  kernel_info_reply: {
    protocol_version: version,
    implementation: text,
    implementation_version: text,
    language_info: record({
      name: text,
      version: text,
      mimetype: text,
      file_extension: (value) => typeof value === "string" && value.startsWith("."),
      codemirror_mode: text,
      pygments_lexer: text,
    }),
    banner: text,
    help_links: listOf(record({ text, url: text })),
    supported_features: listOf(text),
  },
  shutdown_reply: { restart: flag },
  interrupt_reply: {},
  debug_reply: {
    type: oneOf("response"),
    command: text,
    request_seq: count,
    seq: count,
    success: flag,
    body: fields,
  },
};

const published: Readonly<Record<string, Spec>> = {
  status: { execution_state: oneOf("starting", "busy", "idle") },
  execute_input: { code: text, execution_count: count },
  stream: { name: oneOf("stdout", "stderr"), text: (value) => typeof value === "string" && value !== "" },
  display_data: shown,
  update_display_data: { ...shown, transient: record({ display_id: text }) },
  execute_result: { ...shown, execution_count: count },
  error: { ename: text, evalue: text, traceback: listOf(text) },
  clear_output: { wait: flag },
  iopub_welcome: { subscription: text },
  comm_open: { comm_id: text, target_name: text, data: fields },
  comm_msg: { comm_id: text, data: fields },
  comm_close: { comm_id: text, data: fields },
  shutdown_reply: { restart: flag },
  debug_event: { type: oneOf("event"), seq: count, event: text, body: fields },
};

const specs: Readonly<Record<string, Readonly<Record<string, Spec>>>> = {
  shell: replies,
  control: replies,
  iopub: published,
  stdin: { input_request: { prompt: text, password: flag } },
};

// Only these are nobody's answer.
const orphans = ["iopub_welcome", "debug_event"];

/** The ways in which a message breaks the specification; empty where it fits. */
export function violations(message: Message, channel: string): string[] {
  const type = message.header.msg_type;
  const content = message.content as Record<string, unknown>;
  const spec = specs[channel]?.[type];
  if (spec === undefined) return [`${type} has no place on ${channel}`];
  const failed = type.endsWith("_reply") && content.status === "error";
  const hasStatus = type.endsWith("_reply") && channel !== "iopub";
  const statusOk: Spec = hasStatus && type !== "is_complete_reply" ? { status: oneOf("ok") } : {};
  const expected = failed ? failure : { ...statusOk, ...spec };
  const starting = type === "status" && content.execution_state === "starting";
  const wrong = Object.entries(expected)
    .filter(([key, check]) => !check(content[key]))
    .map(([key]) => `${type}.${key} is ${JSON.stringify(content[key])}`);
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify([content, message.metadata])))
    wrong.push(`${type} holds half a character`);
  if (!header(message.header)) wrong.push(`${type} has the header ${JSON.stringify(message.header)}`);
  if (!fields(message.metadata)) wrong.push(`${type} has no metadata`);
  if (!starting && !orphans.includes(type) && !header(message.parent)) {
    wrong.push(`${type} has the parent ${JSON.stringify(message.parent)}`);
  }
  return wrong;
}
