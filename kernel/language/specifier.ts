// Specifiers of other runtimes: Deno's `npm:dayjs@1/plugin/utc` is the package dayjs here, which Node finds where it is
// installed.
import type { TypeScript, ts } from "./typescript.js";

const npm = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/;

/** The specifier that Node knows; the same one unless it begins with `npm:`. */
export function nodeSpecifier(specifier: string): string {
  const [, name, path = ""] = npm.exec(specifier) ?? [];
  return name === undefined ? specifier : name + path;
}

/** True for the text that names a module in an import, an export or a call of `import()`. */
export function isSpecifier(ts: TypeScript, { parent }: ts.StringLiteral): boolean {
  if (ts.isCallExpression(parent)) return parent.expression.kind === ts.SyntaxKind.ImportKeyword;
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
}
