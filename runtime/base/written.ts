// Objects that stand for a name, such as dtypes and devices: whatever writes one writes that name.

const writers = ["toString", Symbol.for("nodejs.util.inspect.custom"), "toJSON"];

/** Makes a template literal, a notebook, console.log and JSON.stringify write the object as its name; returns it. */
export function writtenAs<T extends object>(object: T, name: string): T {
  for (const key of writers) Object.defineProperty(object, key, { value: () => name });
  return object;
}
