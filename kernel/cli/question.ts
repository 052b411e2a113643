// A question on the terminal.
import { createInterface } from "node:readline/promises";
import { JitlabError } from "../../runtime/base/errors.js";

/** Asks whether to continue; if nobody can answer, throws with the option to add. */
export async function isConfirmed(question: string, command: string, when: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new JitlabError(
      "usage",
      `${command} asks whether to continue, but its input is not a terminal.`,
      `Add --yes where ${when}.`,
    );
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}
