// Objects that print as a name, such as dtypes and devices.

const writers = ["toString", Symbol.for("nodejs.util.inspect.custom"), "toJSON"];

/** Makes template literals, notebooks, console.log and JSON.stringify print the object as its name; returns it. */
export function printedAs<T extends object>(object: T, name: string): T {
  for (const key of writers) Object.defineProperty(object, key, { value: () => name });
  return object;
}
