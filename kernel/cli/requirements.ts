// Jitlab's requirements, a version of Node and native modules, checked before anything else is loaded or written.
import { createRequire } from "node:module";
import { JitlabError } from "../../runtime/base/errors.js";
import { oldNode } from "../node-version.js";

const require = createRequire(import.meta.url);

/** The native modules without which no kernel starts. */
export const nativeModules: readonly string[] = ["koffi", "zeromq", "libsql"];

/** This Node's version and platform; throws if it is too old. */
export function checkedNode(): string {
  const complaint = oldNode();
  if (complaint === undefined) return `${process.version} ${process.platform} ${process.arch}`;
  throw new JitlabError("old-node", complaint.problem, complaint.help);
}

/** Loads a native module: one of another platform, or built for a newer C library, fails here and nowhere earlier. */
export function checkedNative(name: string): string {
  try {
    require(name);
  } catch (error) {
    const [reason] = String(error).split("\n");
    throw new JitlabError(
      "native-missing",
      `The native module ${name} does not load: ${reason}`,
      `\`npm rebuild ${name}\` fetches or builds it for this machine (${process.platform} ${process.arch}).`,
    );
  }
  return `loads (${process.platform} ${process.arch})`;
}
