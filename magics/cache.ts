// %cache and %%cache: the stored kernels, who compiled them, and their origin in this process.
import { didYouMean } from "../runtime/base/errors.js";
import { atMost, observe, statement } from "./expansion.js";
import { type Magic, UsageError } from "./magic.js";

/** The actions of %cache. */
export type CacheAction = "status" | "list" | "clear" | "verify";

const actions: readonly string[] = ["status", "list", "clear", "verify"] satisfies CacheAction[];

/** `%cache` and `%%cache`. */
export const cacheMagics: readonly Magic[] = [
  {
    name: "cache",
    kinds: ["line", "cell"],
    usage: "[status|list|clear|verify]",
    options: [],
    doc: `Shows the cache of compiled kernels; as %%cache, the origin of each kernel in the cell.

Without arguments, it lists the kernels of this process and the ones last used elsewhere, with who compiled each, then
the totals, the hit rate, and why the last kernel was compiled. status shows only the totals; list shows every stored
kernel; clear empties the cache; verify checks the checksums and seals. The origins of %%cache are compiled, disk,
remote (the shared cache) and memory.`,
    expand: (args, body) => {
      if (body !== undefined) {
        atMost("%cache", args, 0);
        return observe("cache");
      }
      atMost("cache", args, 1);
      const action = args.positional[0];
      if (action !== undefined && !actions.includes(action)) {
        const hint = didYouMean(action, actions);
        throw new UsageError(
          `%cache: unknown action ${JSON.stringify(action)}.${hint && ` ${hint}`} The actions are ${actions.join(", ")}.`,
        );
      }
      return statement("cache", action);
    },
  },
];
