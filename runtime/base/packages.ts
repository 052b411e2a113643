// Packages of npm that jitlab uses where the user has installed them: optional peers. Each is loaded at its first use, from beside
// jitlab or from the current folder, which is a notebook's.
import { join } from "node:path";
import { requireFrom } from "./builtins.js";
import { JitlabError } from "./errors.js";

/** An installed package; throws with the command that installs it. */
export function installedPackage<T>(what: string, name: string): T {
  const failures: string[] = [];
  for (const from of [import.meta.url, join(process.cwd(), "here.js")]) {
    try {
      return requireFrom(from)(name) as T;
    } catch (error) {
      failures.push(String((error as Error).message).split("\n")[0] as string);
    }
  }
  throw new JitlabError(
    "package-missing",
    `${what} uses the package ${name}, which cannot be loaded: ${failures.at(-1)}.`,
    `Install it beside the notebook or the program: npm install ${name}`,
  );
}
