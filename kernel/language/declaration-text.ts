// Splits the .d.ts text that TypeScript emits for a cell into one declaration per name, so that a later cell can replace
// single names.
import type { Declaration, DeclaredName } from "./declarations.js";
import type { TypeScript, ts } from "./typescript.js";

/** Lists the declarations of an emitted .d.ts text. */
export function declarationsOf(ts: TypeScript, text: string): Declaration[] {
  const source = ts.createSourceFile("cell.d.ts", text, ts.ScriptTarget.ES2022, true);
  const cutter = new Cutter(ts, source);
  for (const statement of source.statements) cutter.cut(statement);
  return cutter.declarations();
}

const asValue = { value: true, type: false };
const asType = { value: false, type: true };
const asBoth = { value: true, type: true };

const longestLiteral = 1000;
const longestType = 100_000;

interface Draft {
  readonly texts: string[];
  readonly references: Set<string>;
  value: boolean;
  type: boolean;
}

class Cutter {
  readonly #named = new Map<string, Draft>();
  readonly #nameless: Declaration[] = [];

  constructor(
    readonly ts: TypeScript,
    readonly source: ts.SourceFile,
  ) {}

  declarations(): Declaration[] {
    const named = [...this.#named].map(([name, { texts, references, value, type }]): Declaration => {
      references.delete(name);
      return { text: texts.join("\n"), declares: { name, value, type }, references: [...references] };
    });
    return [...this.#nameless, ...named];
  }

  cut(statement: ts.Statement): void {
    const { ts } = this;
    if (ts.isVariableStatement(statement)) this.#variables(statement);
    else if (ts.isImportDeclaration(statement)) this.#imports(statement);
    else if (ts.isFunctionDeclaration(statement)) this.#declare(statement, statement.name, asValue);
    else if (ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) {
      this.#declare(statement, statement.name, asBoth);
    } else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      this.#declare(statement, statement.name, asType);
    } else if (ts.isModuleDeclaration(statement)) {
      if (ts.isIdentifier(statement.name) && !this.#isGlobal(statement)) {
        this.#declare(statement, statement.name, asBoth);
      } else this.#nameless.push({ text: this.#text(statement), declares: undefined, references: [] });
    } else if (ts.isImportEqualsDeclaration(statement)) this.#declare(statement, statement.name, asBoth);
  }

  #isGlobal(statement: ts.ModuleDeclaration): boolean {
    return (statement.flags & this.ts.NodeFlags.GlobalAugmentation) !== 0;
  }

  #declare(node: ts.Statement, name: ts.Identifier | undefined, as: Omit<DeclaredName, "name">): void {
    if (name) this.#add(name.text, as, this.#text(node), node);
  }

  #add(name: string, as: Omit<DeclaredName, "name">, text: string, node: ts.Node): void {
    const draft = this.#named.get(name) ?? { texts: [], references: new Set(), value: false, type: false };
    draft.texts.push(text);
    draft.value ||= as.value;
    draft.type ||= as.type;
    this.#collect(node, draft.references);
    this.#named.set(name, draft);
  }

  #variables(statement: ts.VariableStatement): void {
    const { ts } = this;
    const keyword = statement.declarationList.flags & ts.NodeFlags.Const ? "const" : "let";
    const doc = this.#doc(statement);
    for (const variable of statement.declarationList.declarations) {
      // `_default` stands for the value of `export default`, which has no name.
      if (!ts.isIdentifier(variable.name) || variable.name.text === "_default") continue;
      const text = `${doc}declare ${keyword} ${this.#shortened(variable, variable.name.text)};`;
      this.#add(variable.name.text, asValue, text, variable);
    }
  }

  // The type of data pasted into a cell is shortened: every later cell would parse it again.
  #shortened(variable: ts.VariableDeclaration, name: string): string {
    const text = variable.getText(this.source);
    const { initializer } = variable;
    if (initializer && this.ts.isStringLiteral(initializer) && text.length > longestLiteral)
      return `${name}: string`;
    return text.length > longestType ? `${name}: any` : text;
  }

  #imports(statement: ts.ImportDeclaration): void {
    const { ts } = this;
    const clause = statement.importClause;
    const from = statement.moduleSpecifier.getText(this.source);
    if (clause === undefined) {
      this.#nameless.push({ text: `import ${from};`, declares: undefined, references: [] });
      return;
    }
    const keyword = clause.isTypeOnly ? "import type" : "import";
    const add = (name: ts.Identifier, binding: string): void =>
      this.#add(name.text, asBoth, `${keyword} ${binding} from ${from};`, name);
    if (clause.name) add(clause.name, clause.name.text);
    const bindings = clause.namedBindings;
    if (bindings && ts.isNamespaceImport(bindings)) add(bindings.name, `* as ${bindings.name.text}`);
    else
      for (const element of bindings?.elements ?? [])
        add(element.name, `{ ${element.getText(this.source)} }`);
  }

  // The statement's text with its documentation and without `export`.
  #text(statement: ts.Statement): string {
    const { ts, source } = this;
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const exported = modifiers.filter(
      ({ kind }) => kind === ts.SyntaxKind.ExportKeyword || kind === ts.SyntaxKind.DefaultKeyword,
    );
    let text = statement.getText(source);
    const start = statement.getStart(source);
    for (const modifier of exported.reverse()) {
      text = text.slice(0, modifier.getStart(source) - start) + text.slice(modifier.end - start).trimStart();
    }
    const ambient =
      exported.length > 0 && !/^(?:declare|interface|type|import)\b/.test(text) ? "declare " : "";
    return this.#doc(statement) + ambient + text;
  }

  #doc(node: ts.Node): string {
    const { jsDoc = [] } = node as { jsDoc?: readonly ts.JSDoc[] };
    return jsDoc.map((doc) => `${doc.getText(this.source)}\n`).join("");
  }

  // Collects the names that a declaration refers to: identifiers other than its own name and names of members.
  #collect(node: ts.Node, into: Set<string>): void {
    const { ts } = this;
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const names = "name" in parent && parent.name === node;
      const right = ts.isQualifiedName(parent) && parent.right === node;
      const qualifies = ts.isImportTypeNode(parent);
      if (!names && !right && !qualifies) into.add(node.text);
      return;
    }
    ts.forEachChild(node, (child) => this.#collect(child, into));
  }
}
