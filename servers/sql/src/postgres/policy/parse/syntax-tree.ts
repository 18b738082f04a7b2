/** A node of PostgreSQL's syntax tree: `SelectStmt`, `FuncCall`, `RangeVar`. */
export interface SyntaxNode {
  /** Kind of the node in PostgreSQL. If a field always has the same kind, the name of the field: `intoClause`, `larg`. */
  readonly kind: string;
  readonly fields: Fields;
}

/** One statement of a text. */
export interface Statement extends SyntaxNode {
  /** Start of the statement in the UTF-8 text, in bytes. */
  readonly start: number;
  /** Length in bytes; `undefined` if the statement extends to the end of the text. */
  readonly bytes: number | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Returns the statements of a text, in order. */
export function toStatements(tree: unknown): readonly Statement[] {
  return toList(toFields(tree)['stmts']).flatMap((raw) => {
    const { stmt, stmt_location: start, stmt_len: bytes } = toFields(raw);
    const node = toNode(stmt);
    if (node === undefined) return [];
    return [{ ...node, start: typeof start === 'number' ? start : 0, bytes: typeof bytes === 'number' ? bytes : undefined }];
  });
}

/**
 * Returns a node and all its parts at any depth: the fields of nodes, lists, and lists in lists. The parts of nodes for which
 * `enters` returns `false` are omitted.
 */
export function collectNodes(root: SyntaxNode, enters: (node: SyntaxNode) => boolean = () => true): readonly SyntaxNode[] {
  // The loop is not recursive, because a caller may nest a statement at any depth. The result is an array, because every rule reads
  // all nodes.
  const found: SyntaxNode[] = [root];
  for (const node of found)
    if (enters(node)) for (const kind of Object.keys(node.fields)) collect(found, kind, node.fields[kind]);
  return found;
}

/** Returns the node in a field such as `{"SelectStmt": {…}}`. */
export function toNode(value: unknown): SyntaxNode | undefined {
  const [entry, ...others] = Object.entries(toFields(value));
  return entry === undefined || others.length > 0 ? undefined : { kind: entry[0], fields: toFields(entry[1]) };
}

/** Returns the nodes of a list. */
export function toNodes(value: unknown): readonly SyntaxNode[] {
  return toList(value).flatMap((item) => toNode(item) ?? []);
}

/** Returns the parts of a name such as `pg_catalog.lower`. A part that is not a string, such as `*`, becomes an empty string. */
export function getName(value: unknown): readonly string[] {
  return toNodes(value).map(({ kind, fields: { sval } }) => (kind === 'String' && typeof sval === 'string' ? sval : ''));
}

/** Returns the parts of a name, converted with `foldName`. */
export function getFoldedName(value: unknown): readonly string[] {
  return getName(value).map(foldName);
}

/**
 * Returns the last part of a name, such as `lower` for `pg_catalog.lower`, converted with `foldName`; empty if the part is not a
 * string.
 */
export function getLastName(value: unknown): string {
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  return foldName(toFields(toFields(last)['String'])['sval']);
}

/**
 * Converts the letters of a name that are not ASCII to lower case. The parser keeps these letters, but a server with a single-byte
 * encoding folds them in unquoted names. A Turkish database folds `İ` to the ASCII `i`, so `PG_TERMİNATE_BACKEND` calls a function
 * of PostgreSQL.
 */
export function foldName(name: unknown): string {
  if (typeof name !== 'string') return '';
  return NOT_ASCII.test(name) ? name.replaceAll('İ', 'i').replaceAll(/\P{ASCII}/gu, (letter) => letter.toLowerCase()) : name;
}

const NOT_ASCII = /\P{ASCII}/u;

/** Returns the first modifier of a type, such as 10 for `bit(10)`, or 1 without a modifier. */
export function getWidth({ typmods }: Fields): number {
  const [width] = toNodes(typmods);
  return Number(toFields(width?.fields['ival'])['ival'] ?? 1);
}

export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function toFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function collect(found: SyntaxNode[], kind: string, value: unknown): void {
  if (isFields(value)) found.push({ kind, fields: value });
  if (!Array.isArray(value)) return;
  const values: unknown[] = value.slice();
  for (let next = values.pop(); next !== undefined; next = values.pop()) {
    if (Array.isArray(next)) for (const item of next) values.push(item);
    else if (isFields(next)) found.push({ kind, fields: next });
  }
}
