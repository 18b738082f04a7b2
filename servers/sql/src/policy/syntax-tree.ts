/** A node of the tree that PostgreSQL's grammar makes of a statement: `SelectStmt`, `FuncCall`, `RangeVar`. */
export interface SyntaxNode {
  /** As PostgreSQL calls it; of a field whose kind is always the same, the field's name: `intoClause`, `larg`. */
  readonly kind: string;
  readonly fields: Fields;
}

/** One statement of a text. */
export interface Statement extends SyntaxNode {
  /** Where it begins in the text's UTF-8, in bytes. */
  readonly start: number;
  /** In bytes; without it to the end. */
  readonly bytes: number | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The statements of a text, in order. */
export function statementsIn(tree: unknown): readonly Statement[] {
  return listOf(fieldsOf(tree)['stmts']).flatMap((raw) => {
    const { stmt, stmt_location: start, stmt_len: bytes } = fieldsOf(raw);
    const node = nodeOf(stmt);
    if (node === undefined) return [];
    return [{ ...node, start: typeof start === 'number' ? start : 0, bytes: typeof bytes === 'number' ? bytes : undefined }];
  });
}

/**
 * A node and all that it is made of, at any depth: the fields of nodes, lists, and lists in lists. Of nodes that are not
 * entered there is only the node itself.
 */
export function nodesOf(root: SyntaxNode, enters: (node: SyntaxNode) => boolean = () => true): readonly SyntaxNode[] {
  // Neither recursive, for how deep a statement is nested is up to whoever wrote it, nor lazy: every rule looks at all of them.
  const found: SyntaxNode[] = [root];
  for (const node of found)
    if (enters(node)) for (const kind of Object.keys(node.fields)) collect(found, kind, node.fields[kind]);
  return found;
}

/** The node that a field holds: `{"SelectStmt": {…}}`. */
export function nodeOf(value: unknown): SyntaxNode | undefined {
  const [entry, ...others] = Object.entries(fieldsOf(value));
  return entry === undefined || others.length > 0 ? undefined : { kind: entry[0], fields: fieldsOf(entry[1]) };
}

/** The nodes of a list. */
export function nodesIn(value: unknown): readonly SyntaxNode[] {
  return listOf(value).flatMap((item) => nodeOf(item) ?? []);
}

/** The strings of a name such as `pg_catalog.lower`; what is not a string, such as `*`, is the empty one. */
export function nameIn(value: unknown): readonly string[] {
  return nodesIn(value).map(({ kind, fields: { sval } }) => (kind === 'String' && typeof sval === 'string' ? sval : ''));
}

/** Applies `folded` to each result of `nameIn`. */
export function foldedNameIn(value: unknown): readonly string[] {
  return nameIn(value).map(folded);
}

/** Returns the last part of a name, such as `lower` for `pg_catalog.lower`, after `folded`; empty if the part is not a string. */
export function lastNameIn(value: unknown): string {
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  return folded(fieldsOf(fieldsOf(last)['String'])['sval']);
}

/**
 * Converts the letters of a name that are not ASCII to lower case. The parser keeps them, but a server with a single-byte encoding
 * folds them in unquoted names. A Turkish database folds `İ` to the ASCII `i`, so `PG_TERMİNATE_BACKEND` is a function there.
 */
export function folded(name: unknown): string {
  if (typeof name !== 'string') return '';
  return NOT_ASCII.test(name) ? name.replaceAll('İ', 'i').replaceAll(/\P{ASCII}/gu, (letter) => letter.toLowerCase()) : name;
}

const NOT_ASCII = /\P{ASCII}/u;

/** Returns the first modifier of a type, such as 10 for `bit(10)`, or 1 without a modifier. */
export function widthIn({ typmods }: Fields): number {
  const [width] = nodesIn(typmods);
  return Number(fieldsOf(width?.fields['ival'])['ival'] ?? 1);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function fieldsOf(value: unknown): Fields {
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
