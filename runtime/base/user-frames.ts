// Stacks of the library's errors begin with the user's frame, outside of notebooks, which choose the frames of all stacks.

/** The start of the names of the library's scripts in stacks and debuggers; compiled-code.ts sets them. */
export const libraryScripts = "jitlab:";

// V8's limit. With another one, as notebooks set it, or `node --stack-trace-limit=50`, stacks are those of V8.
const usual = 10;
const deep = 60;
const inner = new RegExp(`[( ](?:${libraryScripts}|node:)|\\(<anonymous>\\)$`);

/** Leaves the library's innermost frames out of an error's stack, which is written when it is read. */
export function beginWithUser(error: Error): void {
  if (Error.stackTraceLimit !== usual) return;
  const taken: { stack?: string } = {};
  Error.stackTraceLimit = deep;
  Error.captureStackTrace(taken, error.constructor as new () => Error);
  Error.stackTraceLimit = usual;
  const define = (own: PropertyDescriptor) =>
    Object.defineProperty(error, "stack", { configurable: true, enumerable: false, ...own });
  define({
    get: () => {
      const frames = (taken.stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line));
      const first = Math.max(
        0,
        frames.findIndex((line) => !inner.test(line)),
      );
      return [`${error.name}: ${error.message}`, ...frames.slice(first, first + usual)].join("\n");
    },
    set: (value: unknown) => define({ value, writable: true }),
  });
}
