// Values as the front end's tree shows them. Each object has a number for requesting its members. The process keeps such
// objects alive, so they are released with their stop or list.

import type { Runtime } from "node:inspector";
import { cut } from "../../runtime/base/cut.js";
import type { Devtools } from "./devtools.js";

/** A value of the debug protocol. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  readonly evaluateName: string;
  readonly variablesReference: number;
}

/** The objects that live until the code goes on, and those of the list of the notebook's variables. */
export type ObjectGroup = "stop" | "notebook";

// The functions that the child provides for a debugger (child/debug-view.ts).
export const view = 'globalThis[Symbol.for("jitlab.debug-view")]';

// The front end shows a value only under these names of types, and any other type in the place of the value.
const shownTypes: Readonly<Record<string, string>> = { number: "float", boolean: "bool", string: "str" };

// Names around a cell's code that are not the user's.
const hidden = new Set(["arguments", "this"]);

const maxMembers = 1000;
const maxCharacters = 1000;

/** Gives numbers to objects of the process that runs the cells. */
export class Variables {
  private readonly objects = new Map<number, { readonly objectId: string; readonly group: ObjectGroup }>();
  private count = 0;

  constructor(private readonly devtools: Devtools) {}

  /** The number of an object. */
  reference(objectId: string, group: ObjectGroup): number {
    this.objects.set(++this.count, { objectId, group });
    return this.count;
  }

  /** The inspector's name of the object with a number. */
  objectId(reference: number): string | undefined {
    return this.objects.get(reference)?.objectId;
  }

  /** The members of an object; none if it was released. */
  async membersOf(reference: number): Promise<Variable[]> {
    const object = this.objects.get(reference);
    if (object === undefined) return [];
    const { objectId, group } = object;
    const [{ result }, described] = await Promise.all([
      this.devtools("Runtime.getProperties", { objectId, ownProperties: true }),
      this.devtools("Runtime.callFunctionOn", {
        objectId,
        functionDeclaration: `function () { return ${view}.describe(this); }`,
        returnByValue: true,
        silent: true,
      }),
    ]);
    const texts = (described.result.value ?? {}) as Readonly<Record<string, string>>;
    return result
      .filter(({ name, value }) => value !== undefined && !hidden.has(name) && !/^(?:__|\$)/.test(name))
      .slice(0, maxMembers)
      .map(({ name, value }) => this.variable(name, value as Runtime.RemoteObject, group, texts[name]));
  }

  /** A value with its number; `text` is more detailed than the inspector's. */
  variable(name: string, object: Runtime.RemoteObject, group: ObjectGroup, text?: string): Variable {
    const { type, value, description, unserializableValue, objectId } = object;
    const plain =
      type === "string" ? JSON.stringify(value) : (unserializableValue ?? description ?? String(value));
    const shown = shownTypes[type];
    const opens = objectId !== undefined && type !== "function" && text === undefined;
    return {
      name,
      value: cut(text ?? plain, 0, maxCharacters),
      ...(shown === undefined ? {} : { type: shown }),
      evaluateName: name,
      variablesReference: opens ? this.reference(objectId, group) : 0,
    };
  }

  /** Releases a group's objects in the process. */
  release(group: ObjectGroup): void {
    for (const [reference, object] of this.objects)
      if (object.group === group) this.objects.delete(reference);
    this.devtools("Runtime.releaseObjectGroup", { objectGroup: group }).catch(() => undefined); // it has ended
  }
}
