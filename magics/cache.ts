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
    doc: `Shows the cache of compiled kernels; as %%cache, where each kernel of the cell came from.

Alone, it lists the kernels that this process uses and those used last elsewhere, with who compiled each; below them
the totals, the share of kernels that need not be compiled, and why the last one that was compiled had to be.
status shows the totals only; list every stored kernel; clear empties the cache; verify checks every stored kernel's
checksum and seal. %%cache tells compiled, disk, remote (from the cache that machines share) and memory apart.`,
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
