// The compiler options of cells: output for Node 20, no required annotations, and the type options of a tsconfig.json
// beside the notebook.
import { dirname, join } from "node:path";
import { librariesOfNode } from "./node-libraries.js";
import type { TypeScript, ts } from "./typescript.js";

// Options about checking and finding modules. The others would change the JavaScript of cells.
const fromConfig = [
  "strict",
  "strictNullChecks",
  "strictFunctionTypes",
  "strictBindCallApply",
  "strictPropertyInitialization",
  "noImplicitAny",
  "noImplicitThis",
  "noImplicitReturns",
  "noUncheckedIndexedAccess",
  "exactOptionalPropertyTypes",
  "useUnknownInCatchVariables",
  "allowUnreachableCode",
  "experimentalDecorators",
  "emitDecoratorMetadata",
  "jsx",
  "lib",
  "customConditions",
  "paths",
  "pathsBasePath",
  "baseUrl",
] as const;

/** How cells in a folder are compiled and checked. */
export interface CellOptions {
  readonly compiler: ts.CompilerOptions;
  /** True where a tsconfig.json makes a missing annotation an error. */
  readonly annotated: boolean;
}

/** The options for cells in the folder `cwd`. */
export function cellOptions(ts: TypeScript, cwd: string, packageRoot: string): CellOptions {
  const own = configured(ts, cwd);
  const compiler: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    // A script without imports and exports can be imported, as Node does it.
    moduleDetection: ts.ModuleDetectionKind.Force,
    customConditions: ["node"],
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    esModuleInterop: true,
    allowJs: true,
    checkJs: false,
    skipLibCheck: true,
    preserveConstEnums: true,
    declaration: true,
    sourceMap: true,
    newLine: ts.NewLineKind.LineFeed,
    rootDir: "/",
    outDir: "/jitlab-out",
    // Nothing is written, so there is no need to check for each cell that output paths differ.
    suppressOutputPathCheck: true,
    types: ["node"],
    strict: false,
    noUncheckedSideEffectImports: false,
    ...own,
    // What Node has, whatever a project's browsers and older targets have.
    lib: [...new Set([...librariesOfNode(), ...(own.lib ?? [])])],
    // It also finds bad indexes; its errors about missing annotations are dropped.
    noImplicitAny: true,
  };
  const nodeTypes = folderOfNodeTypes(ts, cwd, packageRoot);
  if (nodeTypes !== undefined) compiler.typeRoots = [dirname(nodeTypes)];
  return { compiler, annotated: own.noImplicitAny ?? own.strict ?? false };
}

function configured(ts: TypeScript, cwd: string): Partial<ts.CompilerOptions> {
  const path = join(cwd, "tsconfig.json");
  if (!ts.sys.fileExists(path)) return {};
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, cwd);
  return Object.fromEntries(fromConfig.filter((key) => key in options).map((key) => [key, options[key]]));
}

/** The folder with the types of Node: the project's own, else jitlab's. */
export function folderOfNodeTypes(ts: TypeScript, cwd: string, packageRoot: string): string | undefined {
  const candidates = [...ancestors(cwd), ...ancestors(packageRoot)].map((folder) =>
    join(folder, "node_modules", "@types", "node"),
  );
  return candidates.find((folder) => ts.sys.fileExists(join(folder, "package.json")));
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
