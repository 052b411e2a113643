// The progress line of `jitlab run`: on a terminal it stays below the text, elsewhere there is none.
import { expect, test } from "vitest";
import { Terminal } from "../../dist/kernel/cli/terminal.js";

class FakeStream {
  text = "";
  readonly columns = 60;
  constructor(readonly isTTY: boolean) {}
  write(text: string): boolean {
    this.text += text;
    return true;
  }
  /** The last line as a terminal shows it: without colours, after the last return. */
  get lastLine(): string {
    return (
      this.text
        .split("\r")
        .at(-1)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told by control characters.
        ?.replace(/\x1b\[[\d;]*[A-Za-z]/g, "") ?? ""
    );
  }
}

function terminal(isTTY: boolean) {
  const stream = new FakeStream(isTTY);
  return { stream, terminal: new Terminal(4, stream as any, stream as any) };
}

test("a terminal shows the steps, the time, the cell and what it says of itself", () => {
  const { stream, terminal: shown } = terminal(true);
  shown.progress(1, "cell 2");
  expect(stream.lastLine).toMatch(/^█{6}░{18} 1\/4 {2}\d+\.\d s {2}cell 2$/);
  shown.note("3 of 8 exp float32\nmore");
  expect(stream.lastLine).toMatch(/cell 2 {2}3 of 8 exp/);
  shown.print("text\n");
  expect(stream.text).toContain("\x1b[2Ktext\n");
  expect(stream.lastLine).toContain("cell 2");
  shown.progress(2, "cell 3");
  expect(stream.lastLine).not.toContain("exp");
  shown.close();
  expect(stream.lastLine).toBe("");
});

test("a line longer than the terminal is cut", () => {
  const { stream, terminal: shown } = terminal(true);
  shown.progress(0, "x".repeat(100));
  expect(stream.lastLine).toHaveLength(59);
  shown.close();
});

test("elsewhere there is only the text, without colours", () => {
  const { stream, terminal: shown } = terminal(false);
  shown.progress(1, "cell 2");
  shown.note("3 of 8");
  shown.print("\x1b[31mred\x1b[39m");
  shown.close();
  expect(stream.text).toBe("red");
});
