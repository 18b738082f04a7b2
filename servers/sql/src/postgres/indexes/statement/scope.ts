import { getName, toFields, toNode, type SyntaxNode } from '../../policy/parse/syntax-tree.ts';
import type { TableFacts } from './table-facts.ts';
import { columnKey, toKey, type Key } from './expression-sql.ts';

/** An item of a FROM clause: the tables of this name in all schemas, or the scope of a subquery, WITH query or view. */
export type Relation = { readonly tables: readonly TableFacts[] } | { readonly query: Scope };

/** The names that one SELECT can refer to. */
export class Scope {
  readonly relations: Map<string, Relation> = new Map();
  readonly ctes: Map<string, Scope> = new Map();
  /** Expressions of the output columns, keyed by name. Columns without a name are omitted. */
  readonly outputs: Map<string, SyntaxNode | undefined> = new Map();
  hasStar = false;
  readonly #outer: Scope | undefined;

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  findCte(name: string): Scope | undefined {
    return this.ctes.get(name) ?? this.#outer?.findCte(name);
  }

  /** Returns the key for a name such as `alias.column`, or `undefined` if the name is not a column of a table. */
  readonly lookup = (names: readonly string[]): Key | undefined => {
    const column = names.at(-1) ?? '';
    if (column === '') return undefined;
    return this.#find(names.at(-2), column) ?? this.#outer?.lookup(names);
  };

  /** Returns the tables in the FROM clause, without the tables of subqueries. */
  listTables(): readonly TableFacts[] {
    return [...this.relations.values()].flatMap((relation) => ('tables' in relation ? relation.tables : []));
  }

  /** Adds an output column of the SELECT. */
  addOutput(target: SyntaxNode): void {
    const { name, val } = target.fields;
    const value = toNode(val);
    const names = value?.kind === 'ColumnRef' ? getName(value.fields['fields']) : [];
    const output = typeof name === 'string' ? name : names.at(-1);
    if (output === '') this.hasStar = true;
    else if (output !== undefined) this.outputs.set(output, value);
  }

  #find(alias: string | undefined, column: string): Key | undefined {
    const named = alias === undefined ? undefined : this.relations.get(alias);
    const relations = alias === undefined ? [...this.relations.values()] : named === undefined ? [] : [named];
    for (const relation of relations) {
      const key = findIn(relation, column);
      if (key !== undefined) return key;
    }
    return undefined;
  }

  #output(column: string): Key | undefined {
    const value = this.outputs.get(column);
    if (value !== undefined) return toKey(value, this.lookup);
    return this.hasStar ? this.#find(undefined, column) : undefined;
  }

  static output(scope: Scope, column: string): Key | undefined {
    return scope.#output(column);
  }
}

function findIn(relation: Relation, column: string): Key | undefined {
  if ('query' in relation) return Scope.output(relation.query, column);
  const table = relation.tables.find(({ columns }) => columns.has(column));
  return table && columnKey(table, column);
}

/** Returns the alias of a relation in a FROM clause, or its own name. */
export function aliasOf(fields: SyntaxNode['fields']): string {
  const { aliasname } = toFields(fields['alias']);
  return typeof aliasname === 'string' ? aliasname : toText(fields['relname']);
}

/** Returns the value if it is a string, and an empty string otherwise. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
