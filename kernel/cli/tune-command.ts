// `jitlab tune`: measures the kernels of a notebook, or those that the cache has noted, and stores the best form of each.
import { formatTime, plural } from "../../magics/render/format.js";
import { JitlabError } from "../../runtime/base/errors.js";
import { cache, type TunedForm, tuning } from "../../runtime/index.js";
import { runNotebook } from "./run.js";
import { wrapped } from "./wrapped.js";

/** The options of `jitlab tune`. */
export interface TuneCommandOptions {
  readonly fromCache?: boolean;
  readonly device?: string;
}

/** Runs a notebook or a script and tunes its kernels, or tunes the launches recorded in the cache; returns the exit status. */
export async function runTune(
  path: string | undefined,
  { fromCache, device }: TuneCommandOptions,
): Promise<number> {
  if ((path === undefined) !== (fromCache === true)) {
    throw new JitlabError(
      "usage",
      path === undefined
        ? "jitlab tune needs a notebook or --from-cache."
        : `jitlab tune takes ${path} or --from-cache, not both.`,
      "jitlab tune notebook.ipynb, or jitlab tune --from-cache",
    );
  }
  const { mode, reason, help } = cache.status();
  if (mode === "memory") {
    throw new JitlabError("unwritable-cache", `jitlab tune cannot store its measurements: ${reason}.`, help);
  }
  if (path !== undefined) {
    const own = device === undefined ? {} : { device };
    return await runNotebook(path, { ...own, after: ["%tune --no-plot"] });
  }
  const forms = tuning.fromCache({
    ...(device === undefined ? {} : { device }),
    onProgress: ({ done, total, step, op }) => {
      if (step === "measured") console.error(`${done} of ${total}: ${op} ${step}`);
    },
  });
  console.log(shown(forms));
  return 0;
}

/** Every kernel with the form that is used from now on. */
function shown(forms: readonly TunedForm[]): string {
  const chosen = forms.filter(({ isChosen }) => isChosen);
  if (chosen.length === 0) return "Nothing to tune: the cache has noted no launch that was not tuned before.";
  const lines = chosen.map(({ op, variant, dtypes, device, upTo, form, us, isDefault }) => {
    const kernel = [op, variant, ...dtypes].join(" ");
    const own = `${form}${isDefault ? " (the default)" : ""}, ${formatTime(us / 1e6)}`;
    return `${wrapped(kernel, 0)}\n${wrapped(`${device}, up to ${plural(upTo, "element")}: ${own}`, 2)}`;
  });
  return lines.join("\n");
}
