// Storages whose memory their owner gave to the results of a function.

import { JitlabError } from "../base/errors.js";
import type { Storage } from "./storage.js";

/** Disposes of a storage that was donated to the function of that name. */
export function donateTo(name: string, storage: Storage): void {
  storage.donatedTo = name;
  storage.dispose();
}

/** The error of a use of donated memory. */
export function donatedError(what: string, name: string): JitlabError {
  return new JitlabError(
    "donated-tensor",
    `${what} was donated to ${name}, whose results may have its memory.`,
    `Use the results of ${name}, pass x.clone(), or leave the argument out of donate.`,
  );
}
