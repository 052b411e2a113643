// Converts cells and runs them in this process, as the child does: one `exports` for all, each cell a function.
import { createRequire } from "node:module";
import { join } from "node:path";
import vm from "node:vm";
import type { Conversion, Diagnostic } from "../../dist/kernel/language/language.js";
import { Libraries } from "../../dist/kernel/language/libraries.js";
import { LanguageService } from "../../dist/kernel/language/service.js";
import { loadTypeScript } from "../../dist/kernel/language/typescript.js";
import { magics } from "../../dist/magics/table.js";
import { dtypes } from "../../dist/runtime/base/dtype.js";
import { ops } from "../../dist/runtime/ops/index.js";

/** The folder of the package. */
export const packageRoot = join(import.meta.dirname, "..", "..");

const libraries = new Libraries(loadTypeScript());

/** A language service in this thread. */
export function makeService(cwd = packageRoot, table = magics): LanguageService {
  const vocabulary = { ops: Object.keys(ops), dtypes: Object.keys(dtypes) };
  return new LanguageService({ cwd, packageRoot, libraries, magics: table, vocabulary });
}

/** A notebook whose cells are converted and run. */
export class CellRunner {
  readonly exports: Record<string, unknown> = {};
  readonly service: LanguageService;
  count = 0;

  constructor(
    readonly cwd: string = packageRoot,
    readonly magic: object = {},
  ) {
    this.service = makeService(cwd);
    this.exports.$magic = magic;
  }

  convert(code: string): Conversion {
    return this.service.convert(code, `In[${++this.count}]`);
  }

  /** The value of a cell; throws its type errors as text. */
  async run(code: string): Promise<unknown> {
    const conversion = this.convert(code);
    if (conversion.errors.length > 0) throw new Error(conversion.errors.map(described).join("\n"));
    return this.execute(conversion);
  }

  async execute(conversion: Conversion): Promise<unknown> {
    const { js, hasTopLevelAwait, lastExpression } = conversion;
    const text = `(${hasTopLevelAwait ? "async " : ""}function (__exports, __require) {${js}\n})`;
    const fn = vm.runInThisContext(text, {
      filename: `In[${this.count}]`,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER as never,
    });
    const base = createRequire(join(this.cwd, "cell.js"));
    const require = (id: string) => {
      if (id === "jitlab") return base(join(packageRoot, "dist", "runtime", "index.js"));
      const file = Object.keys(conversion.files).find(
        (path) => path.replace(/\.ts$/, "") === join(this.cwd, id),
      );
      return file === undefined ? base(id) : loadCommonJs(conversion.files[file] ?? "", base);
    };
    await fn(this.exports, require);
    if (lastExpression === undefined) return undefined;
    const value = this.exports[lastExpression];
    delete this.exports[lastExpression];
    return value;
  }
}

function loadCommonJs(js: string, require: NodeJS.Require): unknown {
  const exports = {};
  vm.compileFunction(js, ["exports", "require"])(exports, require);
  return exports;
}

/** `line:column+length TScode message`, counted from 0. */
export function described({ line, column, length, code, message }: Diagnostic): string {
  return `${line}:${column}+${length} TS${code} ${message}`;
}
