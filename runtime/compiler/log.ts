// Parses compiler logs: g++, clang++ and NVRTC print a file, a line and often a column before each diagnostic.

/** One compiler diagnostic. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
}

type Severity = Diagnostic["severity"];

// kernel.cpp:3:14: error: ...    (g++, clang++)
const unix = /^(.+?):(\d+)(?::(\d+))?: (fatal error|error|warning|note): (.*)$/;
// kernel(3): error: ...          (NVRTC; warnings carry a number)
const nvrtc = /^(.+?)\((\d+)\): (catastrophic error|error|warning|remark)(?: #[\w-]+)?: (.*)$/;

const severities: Readonly<Record<string, Severity>> = {
  "fatal error": "error",
  "catastrophic error": "error",
  error: "error",
  warning: "warning",
  note: "note",
  remark: "note",
};

/** The diagnostics in a compiler's log, in order. */
export function parseLog(log: string): Diagnostic[] {
  const lines = log.split("\n");
  return lines.flatMap((text, i): Diagnostic[] => {
    const [, file, line, column, word, message] = unix.exec(text) ?? [];
    if (file !== undefined && message !== undefined) {
      const place = column === undefined ? {} : { column: Number(column) };
      return [{ file, line: Number(line), ...place, severity: severities[word ?? ""] ?? "error", message }];
    }
    const [, name, at, kind, words] = nvrtc.exec(text) ?? [];
    if (name === undefined || words === undefined) return [];
    const severity = severities[kind ?? ""] ?? "error";
    return [{ file: name, line: Number(at), ...caretColumn(lines, i + 1), severity, message: words }];
  });
}

// NVRTC repeats the source line, two columns in, and puts a caret below it.
const echoIndent = 2;

function caretColumn(lines: readonly string[], from: number): { column?: number } {
  const end = lines.findIndex((line, i) => i >= from && (nvrtc.test(line) || line.trim() === ""));
  const caret = lines.slice(from, end < 0 ? undefined : end).find((line) => /^\s+\^$/.test(line));
  return caret === undefined ? {} : { column: caret.indexOf("^") + 1 - echoIndent };
}
