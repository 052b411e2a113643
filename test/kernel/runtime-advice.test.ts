// Advice under messages of Node and of packages, which do not say what to do.
import { expect, test } from "vitest";
import { reportError } from "../../dist/kernel/child/error-report.js";

test.each([
  [new TypeError("fetch failed", { cause: new Error("not implemented... yet...") }), "fetch reads no files"],
  [new TypeError("Failed to parse URL from ./data.csv"), "fetch reads no files"],
  [
    new Error("Record batch is compressed but codec not found"),
    'df.to_feather(path, compression="uncompressed")',
  ],
  [new TypeError("Cannot mix BigInt and other types, use explicit conversions"), "Number(x.item()) + 1"],
])("%s", (error, advice) => {
  expect(reportError(error).message).toContain(`${error.message}\n`);
  expect(reportError(error).message).toContain(advice);
});

test("other errors keep their message", () => {
  expect(reportError(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })).message).toBe(
    "fetch failed",
  );
});
