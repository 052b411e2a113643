// JupyterLab's debug protocol over the inspector of the process that runs the cells. It costs nothing until a front end
// sends `initialize`; until then it only keeps the texts and maps of the cells.
import type { Debugger } from "node:inspector";
import { fileURLToPath } from "node:url";
import { JitlabError } from "../../runtime/base/errors.js";
import { libraryScripts } from "../../runtime/base/user-frames.js";
import type { RunMessage } from "../child/channel.js";
import { guardName } from "../child/guard-state.js";
import { Breakpoints } from "./breakpoints.js";
import { hashSeed } from "./cell-hash.js";
import { type Devtools, type DevtoolsEvent, thrownBy } from "./devtools.js";
import { pathPrefix, pathSuffix, type SourcePlace, Sources } from "./sources.js";
import { type ObjectGroup, type Variable, Variables, view } from "./variables.js";

/** A request of the front end. */
export interface DebugRequest {
  readonly command: string;
  readonly seq: number;
  readonly arguments?: object;
}

/** The services of the kernel that the adapter calls. */
export interface DebugHost {
  readonly devtools: Devtools;
  /** Ends the inspector's session. */
  closeDevtools(): void;
  /** Publishes an event. */
  publish(event: object): void;
  /** Whether a cell runs. */
  isBusy(): boolean;
}

interface Frame {
  readonly name: string;
  readonly place: SourcePlace;
  readonly call: Debugger.CallFrame;
}

/** The context of commands. */
interface Arguments {
  readonly code: string;
  readonly source: { readonly path: string };
  readonly breakpoints: readonly { readonly line: number }[];
  readonly filters: readonly string[];
  readonly frameId: number;
  readonly variablesReference: number;
  readonly expression: string;
  readonly name: string;
  readonly value: string;
  readonly variableName: string;
}
type Given = Partial<Arguments>;
type Answer = object | undefined | Promise<object | undefined>;

const threadId = 1;
const packageFolder = fileURLToPath(new URL("../../", import.meta.url));
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
// Code that steps pass over.
const blackbox = [
  "^node:",
  `^${libraryScripts}`,
  `^${literal(guardName)}$`,
  `^(file://)?${literal(packageFolder)}`,
  "/node_modules/",
];
const scopeNames: Readonly<Record<string, string>> = {
  local: "Locals",
  block: "Block",
  closure: "Closure",
  catch: "Catch",
};
// A process in a native call does not answer; the front end asks for variables again and again.
const noAnswerMs = 1000;

/** The debugger of a kernel. */
export class DebugAdapter {
  private readonly sources = new Sources();
  private readonly breakpoints: Breakpoints;
  private readonly variables: Variables;
  /** The names of the inspector's scripts. */
  private readonly scripts = new Map<string, string>();
  private started = false;
  /** Whether the current process has this debugger's settings. */
  private opened = false;
  private exceptions: "all" | "none" = "none";
  private frames: readonly Frame[] = [];
  private stepping = false;
  private known: readonly Variable[] = [];

  constructor(private readonly host: DebugHost) {
    this.breakpoints = new Breakpoints(host.devtools, this.sources);
    this.variables = new Variables(host.devtools);
  }

  /** Records the code that is about to run; with a debugger, it runs after the promise settles. */
  prepare(message: RunMessage): Promise<void> | undefined {
    const paths = this.sources.addCell(message);
    return this.started ? this.bind(paths).catch(() => undefined) : undefined; // the cell itself reports a process that ended
  }

  /** Call when the process has ended: resets stops and the process's settings. */
  processEnded(): void {
    if (this.frames.length > 0) this.resumed();
    this.opened = false;
    this.scripts.clear();
    this.known = [];
  }

  /** Handles an event of the inspector. */
  notice({ method, params }: DevtoolsEvent): void {
    if (method === "Debugger.scriptParsed") this.scripts.set(params.scriptId, params.url);
    else if (method === "Debugger.paused") this.paused(params);
    else if (method === "Debugger.resumed" && this.frames.length > 0) this.resumed();
  }

  /** The reply to a request; never rejects. */
  async answer({ command, seq, arguments: given = {} }: DebugRequest): Promise<object> {
    const reply = { type: "response", request_seq: seq, seq, command };
    try {
      const run = Object.hasOwn(this.commands, command) ? this.commands[command] : undefined;
      if (run === undefined) throw new Error(`The debugger has no command "${command}".`);
      return { ...reply, success: true, body: (await run(given as Given)) ?? {} };
    } catch (error) {
      return { ...reply, success: false, message: (error as Error).message, body: {} };
    }
  }

  private readonly commands: Readonly<Record<string, (given: Given) => Answer>> = {
    debugInfo: () => ({
      isStarted: this.started,
      hashMethod: "Murmur2",
      hashSeed,
      tmpFilePrefix: pathPrefix,
      tmpFileSuffix: pathSuffix,
      breakpoints: this.breakpoints.all,
      stoppedThreads: this.frames.length > 0 ? [threadId] : [],
      richRendering: true,
      exceptionPaths: ["JavaScript exceptions"],
      copyToGlobals: false,
    }),
    initialize: async () => {
      this.started = true;
      await this.open();
      return {
        supportsConfigurationDoneRequest: true,
        supportsSetVariable: true,
        exceptionBreakpointFilters: [{ filter: "all", label: "All exceptions", default: false }],
      };
    },
    attach: () => void this.send("initialized", {}),
    configurationDone: () => undefined,
    disconnect: () => {
      this.host.closeDevtools();
      this.started = false;
      this.opened = false;
      this.exceptions = "none";
      this.breakpoints.clear();
      if (this.frames.length > 0) this.resumed();
    },
    dumpCell: (given) => ({ sourcePath: this.sources.add(needed(given, "code")) }),
    setBreakpoints: async (given) => {
      const { path } = needed(given, "source");
      const lines = (given.breakpoints ?? []).map(({ line }) => line);
      this.breakpoints.change(path, lines);
      if (this.started) await this.breakpoints.apply(path);
      return { breakpoints: lines.map((line, id) => ({ id, verified: true, line, source: { path } })) };
    },
    setExceptionBreakpoints: async (given) => {
      this.exceptions = needed(given, "filters").includes("all") ? "all" : "none";
      if (this.started) await this.host.devtools("Debugger.setPauseOnExceptions", { state: this.exceptions });
      return undefined;
    },
    source: (given) => {
      const { path } = needed(given, "source");
      const content = this.sources.textOf(path);
      if (content === undefined) throw new JitlabError("no-source", `The kernel has run no source ${path}.`);
      return { content, mimeType: "application/typescript" };
    },
    threads: () => ({ threads: [{ id: threadId, name: "cells" }] }),
    stackTrace: () => {
      const stackFrames = this.frames.map(({ name, place: { path, line, column } }, id) => {
        return { id, name, line, column, source: { name: path, path } };
      });
      return { stackFrames, totalFrames: stackFrames.length };
    },
    scopes: async (given) => ({ scopes: await this.scopesOf(this.frame(needed(given, "frameId"))) }),
    variables: async (given) => ({
      variables: await this.variables.membersOf(needed(given, "variablesReference")),
    }),
    evaluate: async (given) => {
      const result = await this.evaluate(needed(given, "expression"), this.frames[given.frameId ?? 0]);
      const { value, type, variablesReference } = await this.shown("", result);
      return { result: value, type, variablesReference };
    },
    setVariable: async (given) => {
      const name = needed(given, "name");
      const result = await this.evaluate(`${name} = (${needed(given, "value")})`, this.frames[0]);
      const { value: shown, type } = await this.shown(name, result);
      return { value: shown, type };
    },
    inspectVariables: async () => ({ variables: await this.notebookVariables() }),
    richInspectVariables: async (given) => {
      const frame = given.frameId === undefined ? undefined : this.frames[given.frameId];
      const { value } = await this.evaluate(`${view}.display(${needed(given, "variableName")})`, frame, true);
      return { data: value ?? {}, metadata: {} };
    },
    modules: () => ({ modules: [], totalModules: 0 }),
    continue: async () => {
      await this.host.devtools("Debugger.resume");
      return { allThreadsContinued: true };
    },
    next: () => this.step("Debugger.stepOver"),
    stepIn: () => this.step("Debugger.stepInto"),
    stepOut: () => this.step("Debugger.stepOut"),
    pause: () => this.step("Debugger.pause"),
  };

  private async bind(paths: readonly string[]): Promise<void> {
    if (!this.opened) await this.open();
    for (const path of paths) await this.breakpoints.apply(path);
  }

  private async open(): Promise<void> {
    const { devtools } = this.host;
    this.opened = true;
    await devtools("Debugger.enable");
    await devtools("Debugger.setBlackboxPatterns", { patterns: blackbox });
    await devtools("Debugger.setPauseOnExceptions", { state: this.exceptions });
    await this.breakpoints.applyAll();
  }

  private paused({ callFrames, reason, data }: Debugger.PausedEventDataType): void {
    const frames: Frame[] = [];
    for (const call of callFrames) {
      const script = this.scripts.get(call.location.scriptId) ?? "";
      if (script === guardName) break; // frames below belong to the kernel
      const place = this.sources.sourcePlace(script, call.location);
      if (place) frames.push({ name: call.functionName || script, place, call });
    }
    this.frames = frames;
    // Stopped in code of the kernel or of Node, which is not shown.
    if (frames.length === 0) return void this.host.devtools("Debugger.resume").catch(() => undefined);
    const thrown = reason === "exception" || reason === "promiseRejection";
    const text = (data as { readonly description?: string } | undefined)?.description ?? "";
    this.send("stopped", {
      reason: thrown ? "exception" : this.stepping ? "step" : "breakpoint",
      threadId,
      allThreadsStopped: true,
      ...(thrown ? { description: "Paused on exception", text } : {}),
    });
    this.stepping = false;
  }

  private resumed(): void {
    this.frames = [];
    this.variables.release("stop");
    this.send("continued", { threadId, allThreadsContinued: true });
  }

  private send(event: string, body: object): void {
    this.host.publish({ type: "event", seq: 0, event, body });
  }

  private async step(how: "Debugger.stepOver" | "Debugger.stepInto" | "Debugger.stepOut" | "Debugger.pause") {
    this.stepping = true;
    await this.host.devtools(how);
    return undefined;
  }

  private frame(id: number): Frame {
    const frame = this.frames[id];
    if (frame === undefined)
      throw new JitlabError("no-frame", `Nothing is stopped, so there is no frame ${id}.`);
    return frame;
  }

  private async scopesOf({ call }: Frame): Promise<object[]> {
    const notebook = await this.notebookObject("stop");
    const own = call.scopeChain
      .filter(({ type }) => scopeNames[type] !== undefined)
      .map(({ type, object }) => ({ name: scopeNames[type] as string, objectId: object.objectId as string }));
    return [...own, { name: "Globals", objectId: notebook }].map(({ name, objectId }) => ({
      name,
      variablesReference: this.variables.reference(objectId, "stop"),
      expensive: false,
    }));
  }

  private async notebookObject(objectGroup: ObjectGroup): Promise<string> {
    const { result } = await this.host.devtools("Runtime.evaluate", {
      expression: `${view}.variables()`,
      objectGroup,
      silent: true,
    });
    return result.objectId as string;
  }

  // While a cell runs the list is the one before it: reading a tensor in the middle of an operation could disturb it.
  private async notebookVariables(): Promise<readonly Variable[]> {
    if (this.host.isBusy() && this.frames.length === 0) return this.known;
    const list = async () => {
      this.variables.release("notebook");
      const reference = this.variables.reference(await this.notebookObject("notebook"), "notebook");
      return this.variables.membersOf(reference);
    };
    this.known = (await this.inTime(list())) ?? this.known;
    if (!this.started) this.host.closeDevtools();
    return this.known;
  }

  private async evaluate(expression: string, frame: Frame | undefined, returnByValue = false) {
    const { devtools } = this.host;
    const params = { expression, silent: true, returnByValue, objectGroup: "stop" };
    await devtools("Runtime.evaluate", { expression: `${view}.expose()`, silent: true });
    try {
      const { result, exceptionDetails } = frame
        ? await devtools("Debugger.evaluateOnCallFrame", { ...params, callFrameId: frame.call.callFrameId })
        : await devtools("Runtime.evaluate", params);
      if (exceptionDetails) throw thrownBy(exceptionDetails);
      return result;
    } finally {
      await devtools("Runtime.evaluate", { expression: `${view}.hide()`, silent: true });
    }
  }

  private async shown(
    name: string,
    result: Awaited<ReturnType<DebugAdapter["evaluate"]>>,
  ): Promise<Variable> {
    const { objectId } = result;
    if (objectId === undefined) return this.variables.variable(name, result, "stop");
    const described = await this.host.devtools("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: `function () { return ${view}.describeValue(this); }`,
      returnByValue: true,
      silent: true,
    });
    return this.variables.variable(name, result, "stop", described.result.value as string | undefined);
  }

  private inTime<T>(answer: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), noAnswerMs);
    });
    return Promise.race([answer.catch(() => undefined), late]).finally(() => clearTimeout(timer));
  }
}

function needed<K extends keyof Arguments>(given: Given, name: K): Arguments[K] {
  const value = given[name];
  if (value === undefined) throw new JitlabError("bad-request", `The request has no argument "${name}".`);
  return value as Arguments[K];
}
