// A real kernel for tests, driven over its sockets, every one of whose messages is checked.
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, TestRunner, vi } from "vitest";
import { type Answer, KernelClient } from "../../dist/kernel/cli/client.js";
import type { StartOptions } from "../../dist/kernel/cli/kernel-process.js";
import type { ConnectionInfo } from "../../dist/kernel/protocol/connection.js";
import type { Message } from "../../dist/kernel/protocol/message.js";
import { violations } from "./message-spec.js";

// The configured time-out of hooks; the error of a wait comes this long before it.
const hookTimeoutMs = 60_000;
const messageMs = 1000;

/** A client whose kernel's messages are checked; what breaks the specification is collected. */
export interface CheckedClient {
  readonly client: KernelClient;
  readonly broken: string[];
}

// What any client of this file has seen and no test has looked at.
const allBroken: string[][] = [];
afterEach(() => expect(allBroken.flatMap((broken) => broken.splice(0))).toEqual([]));

/** Starts a kernel whose messages are checked, at the latest when the test has ended. */
export async function startChecked(options: StartOptions = {}): Promise<CheckedClient> {
  return check(await KernelClient.start(options));
}

/** What a cell published, without the line of a cell that compiles: a busy machine shows it in any test. */
function withoutCompileLine(answer: Answer): Answer {
  let isShown = false;
  const published = answer.published.filter(({ header, content }) => {
    const isLine = (content.transient as any)?.passing === true;
    const isRemoval = isShown && header.msg_type === "clear_output";
    if (isLine || isRemoval) isShown = isLine;
    return !isLine && !isRemoval;
  });
  return { ...answer, published };
}

/** Connects to a running kernel; what this client gets is checked as well. */
export async function attachChecked(connection: ConnectionInfo): Promise<KernelClient> {
  return check(await KernelClient.attach(connection)).client;
}

function check(client: KernelClient, compileLine = false): CheckedClient {
  if (!compileLine) hideCompileLine(client);
  const broken: string[] = [];
  allBroken.push(broken);
  client.onMessage((message, channel) => broken.push(...violations(message, channel)));
  return { client, broken };
}

/** Answers of cells have no line of compiling. */
function hideCompileLine(client: KernelClient): void {
  const send = client.sendExecute.bind(client);
  client.sendExecute = (code, options) => {
    const sent = send(code, options);
    return { ...sent, answer: sent.answer.then(withoutCompileLine) };
  };
}

/** One kernel for the tests of a file; `compileLine` keeps the line of a cell that compiles in its answers. */
export function useKernel(
  options: StartOptions = {},
  { compileLine = false }: { readonly compileLine?: boolean } = {},
): () => KernelClient {
  let checked: CheckedClient;
  beforeAll(async () => {
    checked = check(await KernelClient.start(options), compileLine);
    await checked.client.execute("0"); // the language service has started
  });
  afterAll(() => checked.client.shutdown());
  return () => checked.client;
}

/** The published messages of a type. */
export function ofType(answer: Answer, type: string): Message[] {
  return answer.published.filter((message) => message.header.msg_type === type);
}

/** The types of what was published, without the states. */
export function outputTypes(answer: Answer): string[] {
  return answer.published.map(({ header }) => header.msg_type).filter((type) => type !== "status");
}

/** All text on a stream. */
export function printed(answer: Answer, name: "stdout" | "stderr" = "stdout"): string {
  return ofType(answer, "stream")
    .filter(({ content }) => content.name === name)
    .map(({ content }) => content.text)
    .join("");
}

/** The plain text of the cell's value. */
export function result(answer: Answer): string | undefined {
  return (ofType(answer, "execute_result")[0]?.content.data as any)?.["text/plain"];
}

/** Waits until a condition holds; shortly before the test's time-out, an error with the condition's text ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const test = TestRunner.getCurrentTest();
  const [began = Date.now(), limitMs = hookTimeoutMs] = [test?.result?.startTime, test?.timeout];
  const timeout = began + limitMs - messageMs - Date.now();
  await vi.waitUntil(condition, { timeout, interval: 10 }).catch((cause) => {
    throw new Error(`This condition never held: ${condition}`, { cause });
  });
}

/** Strips ANSI colours. */
export function plain(lines: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
  return (lines as string[]).join("\n").replace(/\u001b\[\d+m/g, "");
}

/** Whether a process with this command line exists. */
export function runs(command: string): boolean {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `${command.replaceAll(" ", "\0")}\0`;
    } catch {
      return false; // it has ended meanwhile
    }
  });
}

/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
