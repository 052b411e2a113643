// Which files of tests concern a device other than the cpu: they import what chooses it.
import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** The files of tests in some folders of test/ whose text contains one of these words. */
export function filesWith(folders: readonly string[], words: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(new URL(`test/${folder}`, root))
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `test/${folder}/${name}`)
      .filter((path) => {
        const text = readFileSync(new URL(path, root), "utf8");
        return words.some((word) => text.includes(word));
      }),
  );
}
