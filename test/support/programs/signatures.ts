// The methods of tensors and the types of their parameters, from what the build writes for help and from the declarations:
// a new method, or a new option, is in the random programs by itself.
import { readdirSync, readFileSync } from "node:fs";

/** A parameter, or an option: its name and the text of its type. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly isRest: boolean;
}

const runtime = new URL("../../../dist/runtime/", import.meta.url);

/** Splits at commas that are in no brackets. */
function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if ("([{<".includes(letter)) depth++;
    else if (")]}".includes(letter) || (letter === ">" && text[at - 1] !== "=")) depth--;
    else if (letter === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== "");
}

function parameterOf(text: string): Parameter {
  const [, rest, name = "", optional, type = ""] = /^(\.\.\.)?(\w+)(\?)?:\s*(.*)$/s.exec(text) ?? [];
  return { name, type, isOptional: optional !== undefined, isRest: rest !== undefined };
}

/** The parameters of a call, `x.name(a: A, b?: B): R`. */
function parametersOf(call: string): Parameter[] {
  const open = call.indexOf("(");
  let depth = 0;
  for (let at = open; at < call.length; at++) {
    if (call[at] === "(") depth++;
    if (call[at] === ")" && --depth === 0) return split(call.slice(open + 1, at)).map(parameterOf);
  }
  return [];
}

interface Entry {
  readonly calls: readonly string[];
}

/** Every method of a tensor that is a call, with the parameters of each of its forms. */
export const methods: ReadonlyMap<string, readonly (readonly Parameter[])[]> = (() => {
  const file = readFileSync(new URL("reference.json", runtime), "utf8");
  const reference = JSON.parse(file) as Record<string, readonly Entry[]>;
  const found = Object.entries(reference).map(([name, entries]) => {
    const calls = entries.flatMap((entry) => entry.calls).filter((call) => call.startsWith(`x.${name}(`));
    return [name, calls.map(parametersOf)] as const;
  });
  return new Map(found.filter(([, forms]) => forms.length > 0));
})();

/** The fields of a type of options, such as `SortOptions`; none if no declaration has this name. */
export function optionsOf(type: string): readonly Parameter[] {
  const inline = /^\{(.*)\}$/s.exec(type)?.[1];
  if (inline !== undefined) return fieldsOf(inline);
  return declared.get(/^\w+/.exec(type)?.[0] ?? "") ?? [];
}

function fieldsOf(body: string): Parameter[] {
  return body
    .replace(/\/\*.*?\*\//gs, "")
    .split(";")
    .map((field) => field.trim().replace(/^readonly /, ""))
    .filter((field) => /^\w+\??:/.test(field))
    .map(parameterOf);
}

const declared: ReadonlyMap<string, readonly Parameter[]> = (() => {
  const folder = new URL("tensor/", runtime);
  const texts = readdirSync(folder).filter((name) => name.endsWith(".d.ts"));
  const bodies = new Map<string, { fields: Parameter[]; base: string | undefined }>();
  for (const name of texts) {
    const text = readFileSync(new URL(name, folder), "utf8");
    for (const found of text.matchAll(
      /interface (\w+Options)(?:<[^{]*>)?(?: extends (\w+))?[^{]*\{(.*?)\n\}/gs,
    )) {
      bodies.set(found[1] ?? "", { fields: fieldsOf(found[3] ?? ""), base: found[2] });
    }
  }
  const all = (name: string): Parameter[] => {
    const body = bodies.get(name);
    return body ? [...(body.base ? all(body.base) : []), ...body.fields] : [];
  };
  return new Map([...bodies.keys()].map((name) => [name, all(name)]));
})();
