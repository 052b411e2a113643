// What a kernel's text consists of: the part of C++ that the library's code generators write.

/** A type as it is written: a name with its arguments, and how many pointers. */
export interface TypeNode {
  readonly name: string;
  readonly args: readonly (TypeNode | Expr)[];
  /** The name of one of its own types, as in `sum_of<float>::type`. */
  readonly member?: string | undefined;
  readonly pointers: number;
  readonly isReference: boolean;
  readonly alignment?: Expr | undefined;
}

/** A declared name: of a variable, a parameter or a field. */
export interface Declared {
  readonly type: TypeNode;
  readonly name: string;
  /** The extents of an array. */
  readonly dims: readonly Expr[];
  readonly init?: Expr | undefined;
}

/** An expression. */
export type Expr =
  | { readonly k: "number"; readonly text: string }
  | { readonly k: "name"; readonly name: string; readonly args?: readonly (TypeNode | Expr)[] }
  | { readonly k: "call"; readonly callee: Expr; readonly args: readonly Expr[] }
  | { readonly k: "make"; readonly type: TypeNode; readonly args: readonly Expr[] }
  | { readonly k: "list"; readonly args: readonly Expr[] }
  | { readonly k: "unary"; readonly op: string; readonly of: Expr }
  | { readonly k: "step"; readonly op: string; readonly of: Expr; readonly isPrefix: boolean }
  | { readonly k: "binary"; readonly op: string; readonly left: Expr; readonly right: Expr }
  | { readonly k: "assign"; readonly op: string; readonly to: Expr; readonly value: Expr }
  | { readonly k: "choose"; readonly when: Expr; readonly then: Expr; readonly otherwise: Expr }
  | { readonly k: "at"; readonly of: Expr; readonly index: Expr }
  | { readonly k: "field"; readonly of: Expr; readonly name: string }
  | { readonly k: "cast"; readonly type: TypeNode; readonly of: Expr }
  | { readonly k: "size"; readonly type: TypeNode };

/** A statement. */
export type Statement =
  | { readonly k: "declare"; readonly vars: readonly Declared[] }
  | { readonly k: "block"; readonly body: readonly Statement[] }
  | {
      readonly k: "if";
      readonly when: Expr;
      readonly then: Statement;
      readonly otherwise?: Statement | undefined;
    }
  | {
      readonly k: "for";
      readonly init: Statement | undefined;
      readonly when: Expr | undefined;
      readonly next: readonly Expr[];
      readonly body: Statement;
    }
  | { readonly k: "while"; readonly when: Expr; readonly body: Statement; readonly isDo: boolean }
  | { readonly k: "return"; readonly value: Expr | undefined }
  | { readonly k: "break" | "continue" }
  | { readonly k: "do"; readonly exprs: readonly Expr[] };

/** A parameter of a template. */
export interface TemplateParameter {
  readonly name: string;
  readonly isType: boolean;
}

/** A function; its body is read when something calls it. */
export interface FunctionNode {
  readonly name: string;
  readonly template: readonly TemplateParameter[] | undefined;
  readonly result: TypeNode;
  readonly parameters: readonly Declared[];
  readonly space: Space;
  readonly body: () => readonly Statement[];
}

/** A struct. */
export interface StructNode {
  readonly name: string;
  readonly template: readonly TemplateParameter[] | undefined;
  readonly fields: readonly Declared[];
  readonly alignment: Expr | undefined;
  /** Where its own types are. */
  readonly space: Space;
}

/** A struct of types, or one of its specializations. */
export interface TraitNode {
  readonly template: readonly TemplateParameter[] | undefined;
  /** What it is specialized for. */
  readonly args: readonly (TypeNode | Expr)[];
  readonly members: ReadonlyMap<string, TypeNode>;
  readonly space: Space;
}

/** A namespace: what is declared in it. */
export interface Space {
  readonly name: string;
  readonly outer: Space | undefined;
  readonly spaces: Map<string, Space>;
  readonly functions: Map<string, FunctionNode[]>;
  readonly structs: Map<string, StructNode>;
  readonly traits: Map<string, TraitNode[]>;
  readonly aliases: Map<string, TypeNode>;
  readonly constants: Map<string, Declared>;
  readonly used: Space[];
}

/** A new namespace. */
export function makeSpace(name: string, outer: Space | undefined): Space {
  return {
    ...{ name, outer, spaces: new Map(), functions: new Map(), structs: new Map() },
    ...{ traits: new Map(), aliases: new Map(), constants: new Map(), used: [] },
  };
}
