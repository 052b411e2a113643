// Declarations of what Node has and neither TypeScript's libraries without a browser nor Node's types declare. They add to
// the globals, so imported files see them too; beside a project's own browser library they change nothing.

const webAssembly = `
  namespace WebAssembly {
    type ImportExportKind = "function" | "global" | "memory" | "table" | "tag";
    type ValueType = "anyfunc" | "externref" | "f32" | "f64" | "i32" | "i64" | "v128";
    type TableKind = "anyfunc" | "externref";
    type Imports = Record<string, Record<string, Function | Global | Memory | Table | number | bigint>>;
    type Exports = Record<string, any>;
    interface ModuleExportDescriptor { name: string; kind: ImportExportKind }
    interface ModuleImportDescriptor { module: string; name: string; kind: ImportExportKind }
    interface MemoryDescriptor { initial: number; maximum?: number; shared?: boolean }
    interface TableDescriptor { element: TableKind; initial: number; maximum?: number }
    interface GlobalDescriptor { value: ValueType; mutable?: boolean }
    interface WebAssemblyInstantiatedSource { module: Module; instance: Instance }
    class Module {
      constructor(bytes: BufferSource);
      static exports(module: Module): ModuleExportDescriptor[];
      static imports(module: Module): ModuleImportDescriptor[];
      static customSections(module: Module, name: string): ArrayBuffer[];
    }
    class Instance {
      constructor(module: Module, imports?: Imports);
      readonly exports: Exports;
    }
    class Memory {
      constructor(descriptor: MemoryDescriptor);
      readonly buffer: ArrayBuffer;
      grow(pages: number): number;
    }
    class Table {
      constructor(descriptor: TableDescriptor, value?: any);
      readonly length: number;
      get(index: number): any;
      set(index: number, value?: any): void;
      grow(count: number, value?: any): number;
    }
    class Global {
      constructor(descriptor: GlobalDescriptor, value?: any);
      value: any;
      valueOf(): any;
    }
    class Tag {
      constructor(type: { parameters: ValueType[] });
    }
    class Exception extends Error {
      constructor(tag: Tag, payload: any[], options?: { traceStack?: boolean });
      is(tag: Tag): boolean;
      getArg(tag: Tag, index: number): any;
    }
    var JSTag: Tag;
    class CompileError extends Error {}
    class LinkError extends Error {}
    class RuntimeError extends Error {}
    function validate(bytes: BufferSource): boolean;
    function compile(bytes: BufferSource): Promise<Module>;
    function compileStreaming(source: Response | PromiseLike<Response>): Promise<Module>;
    function instantiate(bytes: BufferSource, imports?: Imports): Promise<WebAssemblyInstantiatedSource>;
    function instantiate(module: Module, imports?: Imports): Promise<Instance>;
    function instantiateStreaming(source: Response | PromiseLike<Response>, imports?: Imports): Promise<WebAssemblyInstantiatedSource>;
  }`;

// Node's types have these in modules only.
const fromModules: Readonly<Record<string, string>> = {
  Crypto: 'import("node:crypto").webcrypto.Crypto',
  CryptoKey: 'import("node:crypto").webcrypto.CryptoKey',
  SubtleCrypto: 'import("node:crypto").webcrypto.SubtleCrypto',
  Performance: 'import("node:perf_hooks").Performance',
};

const socket = (name: string) => `
  type ${name} = import("undici-types").${name};
  var ${name}: typeof import("undici-types").${name};`;

// Globals of Node 21 and later, by the name that says whether they are there.
const later: Readonly<Record<string, string>> = {
  navigator: `
  interface Navigator {
    readonly hardwareConcurrency: number;
    readonly language: string;
    readonly languages: readonly string[];
    readonly platform: string;
    readonly userAgent: string;
  }
  var Navigator: { prototype: Navigator; new (): Navigator };
  var navigator: Navigator;`,
  WebSocket: socket("WebSocket"),
  CloseEvent: socket("CloseEvent"),
  URLPattern: `
  interface URLPatternInit {
    protocol?: string; username?: string; password?: string; hostname?: string;
    port?: string; pathname?: string; search?: string; hash?: string; baseURL?: string;
  }
  interface URLPatternComponentResult { input: string; groups: Record<string, string | undefined> }
  interface URLPatternResult {
    inputs: (string | URLPatternInit)[];
    protocol: URLPatternComponentResult; username: URLPatternComponentResult; password: URLPatternComponentResult;
    hostname: URLPatternComponentResult; port: URLPatternComponentResult; pathname: URLPatternComponentResult;
    search: URLPatternComponentResult; hash: URLPatternComponentResult;
  }
  interface URLPattern {
    readonly protocol: string; readonly username: string; readonly password: string; readonly hostname: string;
    readonly port: string; readonly pathname: string; readonly search: string; readonly hash: string;
    readonly hasRegExpGroups: boolean;
    test(input?: string | URLPatternInit, baseURL?: string): boolean;
    exec(input?: string | URLPatternInit, baseURL?: string): URLPatternResult | null;
  }
  var URLPattern: {
    prototype: URLPattern;
    new (input?: string | URLPatternInit, options?: { ignoreCase?: boolean }): URLPattern;
    new (input: string | URLPatternInit, baseURL: string, options?: { ignoreCase?: boolean }): URLPattern;
  };`,
};

const members = `
  interface BufferSourceTypes { view: ArrayBufferView; buffer: ArrayBuffer }
  type BufferSource = BufferSourceTypes[keyof BufferSourceTypes];`;

// The part of TypeScript's es2024.arraybuffer that Node 20 has.
const resizable = `
  interface ArrayBuffer {
    readonly maxByteLength: number;
    readonly resizable: boolean;
    resize(length?: number): void;
  }
  interface ArrayBufferConstructor {
    new (length: number, options?: { maxByteLength?: number }): ArrayBuffer;
  }`;

/** Declares the globals and members that Node's and TypeScript's own declarations lack. */
export function missingDeclarations(): string {
  const here = (list: Readonly<Record<string, string>>) =>
    Object.entries(list).filter(([name]) => name in globalThis);
  const named = here(fromModules).map(
    ([name, type]) => `
  type ${name} = ${type};
  var ${name}: { prototype: ${type}; new (): ${type} };`,
  );
  const old = "transfer" in ArrayBuffer.prototype ? "" : resizable;
  const added = here(later).map(([, text]) => text);
  return `declare global {${webAssembly}${[...named, ...added].join("")}${members}${old}\n}\n`;
}
