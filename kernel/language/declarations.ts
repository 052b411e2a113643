// The declarations of accepted cells, as text. A name that is declared again replaces the earlier one. Where another
// declaration still refers to the earlier one, the new one goes to a layer above, as into an inner scope.

/** A declared name, and whether it is a value, a type, or both. */
export interface DeclaredName {
  readonly name: string;
  readonly value: boolean;
  readonly type: boolean;
}

/** One declaration as it stands in a .d.ts file. */
export interface Declaration {
  readonly text: string;
  /** Undefined for `declare global` and imports without names, which are never replaced. */
  readonly declares: DeclaredName | undefined;
  /** The names of other declarations that the text refers to. */
  readonly references: readonly string[];
  /** The cell that it stands in, such as `In[3]`. */
  readonly cell?: string;
}

/** Declarations without conflicts among them: one file, one scope. */
export type Layer = readonly Declaration[];

/** Every declaration, outermost scope first: plain data that can be sent to another process. */
export type Layers = readonly Layer[];

/** A layer as the text of a .d.ts file. */
export function layerText(layer: Layer): string {
  return ["export {};", ...layer.map((declaration) => declaration.text)].join("\n");
}

/** Returns the layers after a cell with the given declarations. */
export function accept(layers: Layers, declarations: Layer): Layers {
  const known = new Set(layers.flat().flatMap((one) => (one.declares ? [] : [one.text])));
  const added = declarations.filter((one) => one.declares !== undefined || !known.has(one.text));
  if (added.length === 0) return layers;
  const last = layers.at(-1) ?? [];
  const kept = last.filter((old) => !replaces(added, old));
  const names = new Set(added.flatMap((one) => (one.declares ? [one.declares.name] : [])));
  const conflict = kept.some(
    (old) =>
      (old.declares && overlaps(added, old.declares)) || old.references.some((name) => names.has(name)),
  );
  const next = conflict ? [...layers, added] : [...layers.slice(0, -1), [...kept, ...added]];
  return next.length > 1 ? reachable(next) : next;
}

/** Lists the cells with the types of a name that are still in use, in the order of their scopes; the last one hides the others. */
export function cellsWithType(layers: Layers, name: string): string[] {
  return layers
    .flat()
    .flatMap(({ declares, cell }) => (declares?.name === name && declares.type && cell ? [cell] : []));
}

/** Lists the names of values: the notebook's variables, functions, classes and imports. */
export function valueNames(layers: Layers): Set<string> {
  return new Set(layers.flat().flatMap((one) => (one.declares?.value ? [one.declares.name] : [])));
}

function replaces(added: Layer, old: Declaration): boolean {
  const { declares } = old;
  if (declares === undefined) return false;
  return added.some(
    ({ declares: now }) =>
      now?.name === declares.name && (now.value || !declares.value) && (now.type || !declares.type),
  );
}

function overlaps(added: Layer, old: DeclaredName): boolean {
  return added.some(
    ({ declares: now }) => now?.name === old.name && ((now.value && old.value) || (now.type && old.type)),
  );
}

// Drops declarations that a layer above hides and that nothing refers to.
function reachable(layers: Layers): Layers {
  const remaining = new Set<Declaration>();
  const open: { declaration: Declaration; depth: number }[] = [];
  const visit = (declaration: Declaration, depth: number): void => {
    if (remaining.has(declaration)) return;
    remaining.add(declaration);
    open.push({ declaration, depth });
  };
  const scopes = layers.map(indexByName);
  const visitName = (name: string, from: number): void => {
    const wanted = { value: true, type: true };
    for (let depth = from; depth >= 0 && (wanted.value || wanted.type); depth--) {
      for (const declaration of scopes[depth]?.get(name) ?? []) {
        const { value = false, type = false } = declaration.declares ?? {};
        if ((value && wanted.value) || (type && wanted.type)) visit(declaration, depth);
      }
      for (const { declares } of scopes[depth]?.get(name) ?? []) {
        if (declares?.value) wanted.value = false;
        if (declares?.type) wanted.type = false;
      }
    }
  };
  layers.forEach((layer, depth) => {
    for (const declaration of layer) if (!declaration.declares) visit(declaration, depth);
  });
  for (const name of new Set(scopes.flatMap((scope) => [...scope.keys()])))
    visitName(name, layers.length - 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of next.declaration.references) visitName(name, next.depth);
  }
  return layers
    .map((layer) =>
      layer.every((one) => remaining.has(one)) ? layer : layer.filter((one) => remaining.has(one)),
    )
    .filter((layer) => layer.length > 0);
}

function indexByName(layer: Layer): Map<string, Declaration[]> {
  const index = new Map<string, Declaration[]>();
  for (const declaration of layer) {
    if (!declaration.declares) continue;
    const { name } = declaration.declares;
    index.set(name, [...(index.get(name) ?? []), declaration]);
  }
  return index;
}
