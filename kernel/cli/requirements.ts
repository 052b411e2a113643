// Jitlab's requirements, a version of Node and native modules, checked before anything else is loaded or written.
import { createRequire } from "node:module";
import { JitlabError } from "../../runtime/base/errors.js";

const require = createRequire(import.meta.url);
const oldestNode = [20, 19] as const;

/** The native modules without which no kernel starts. */
export const nativeModules: readonly string[] = ["koffi", "zeromq", "libsql"];

/** This Node's version and platform; throws where it is too old. */
export function checkedNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
    return `${process.version} ${process.platform} ${process.arch}`;
  }
  throw new JitlabError(
    "old-node",
    `This is Node ${process.version}; jitlab needs ${oldestNode.join(".")} or newer.`,
    "Install a newer one from https://nodejs.org, then `npm rebuild` and `jitlab install`.",
  );
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
