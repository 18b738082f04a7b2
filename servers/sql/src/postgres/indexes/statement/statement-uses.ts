import {
  collectNodes,
  getName,
  toFields,
  toList,
  toNode,
  toNodes,
  type Fields,
  type SyntaxNode,
} from '../../policy/parse/syntax-tree.ts';
import type { TableFacts } from './table-facts.ts';
import { readCondition, splitCondition, usingColumns, type Use } from './condition-uses.ts';
import { columnKey, toKey, type Key } from './expression-sql.ts';
import { aliasOf, Scope, toText } from './scope.ts';

export interface SortKey {
  readonly key: Key;
  readonly isDescending: boolean;
  /** Whether nulls are first; `undefined` for the default of the direction. */
  readonly nullsFirst: boolean | undefined;
}

/** The uses of columns of tables by one SELECT, or by the part of another statement that reads. */
export interface QueryBlock {
  /** Restrictions that all hold. */
  readonly uses: Use[];
  /** One list per alternative of an OR, with the restrictions of that alternative. */
  readonly alternatives: (readonly Use[])[];
  /** One list of keys per ORDER BY, GROUP BY or DISTINCT. */
  readonly orders: (readonly SortKey[])[];
  /** Keys of whose values only the minimum or maximum is read. */
  readonly extremes: Key[];
  /** Whether only some of the sorted rows are read. */
  isLimited: boolean;
  /** Names of all columns that the block reads, by table. `undefined` if the block reads all columns. */
  readonly columns: Map<TableFacts, Set<string> | undefined>;
}

/** Definitions that the names in a statement refer to. */
export interface Names {
  /** Returns the tables with a name. */
  readonly tables: (schema: string | undefined, name: string) => readonly TableFacts[];
  /** Returns the definition of a view. */
  readonly view: (schema: string | undefined, name: string) => SyntaxNode | undefined;
  /** Values of the parameters, as far as known. */
  readonly params: readonly (string | null)[];
}

/** Finds out how a statement uses the columns of tables, at all levels of subqueries and views. */
export function findUses(statement: SyntaxNode, names: Names): readonly QueryBlock[] {
  const reader = new StatementReader(names);
  reader.readStatement(statement);
  return reader.blocks;
}

class StatementReader {
  readonly blocks: QueryBlock[] = [];
  readonly #names: Names;
  readonly #views = new Map<SyntaxNode, Scope>();

  constructor(names: Names) {
    this.#names = names;
  }

  readStatement({ kind, fields }: SyntaxNode, outer?: Scope): Scope {
    if (kind === 'SelectStmt') return this.#readSelect(fields, outer);
    const scope = new Scope(outer);
    const query = toNode(fields['selectStmt'] ?? fields['query']);
    if (query !== undefined) return this.readStatement(query, scope);
    this.#addCtes(fields, scope);
    const block = this.#addBlock();
    if (kind !== 'InsertStmt') this.#addTable(toFields(fields['relation']), scope);
    for (const item of toNodes(fields['fromClause'] ?? fields['usingClause'])) this.#addFrom(item, scope, block);
    this.#readConditions(toNode(fields['whereClause']), scope, block);
    // The statement writes whole rows, so no index contains all columns that it reads.
    for (const table of scope.listTables()) block.columns.set(table, undefined);
    return scope;
  }

  #addBlock(): QueryBlock {
    const block = { uses: [], alternatives: [], orders: [], extremes: [], isLimited: false, columns: new Map() };
    this.blocks.push(block);
    return block;
  }

  #readSelect(fields: Fields, outer: Scope | undefined): Scope {
    const scope = new Scope(outer);
    this.#addCtes(fields, scope);
    const { larg, rarg } = fields;
    if (larg !== undefined) {
      const left = this.#readSelect(toFields(larg), scope);
      this.#readSelect(toFields(rarg), scope);
      return left;
    }
    const block = this.#addBlock();
    for (const item of toNodes(fields['fromClause'])) this.#addFrom(item, scope, block);
    this.#readConditions(toNode(fields['whereClause']), scope, block);
    const targets = toNodes(fields['targetList']);
    for (const target of targets) scope.addOutput(target);
    this.#readSubqueries(targets, scope);
    readOrders(fields, scope, block);
    addColumns(fields, scope, block);
    return scope;
  }

  #addCtes(fields: Fields, scope: Scope): void {
    for (const { fields: cte } of toNodes(toFields(fields['withClause'])['ctes'])) {
      const query = toNode(cte['ctequery']);
      if (query !== undefined) scope.ctes.set(String(cte['ctename']), this.readStatement(query, scope));
    }
  }

  #addFrom(item: SyntaxNode, scope: Scope, block: QueryBlock): void {
    const { kind, fields } = item;
    if (kind === 'RangeVar') this.#addTable(fields, scope);
    const subquery = kind === 'RangeSubselect' ? toNode(fields['subquery']) : undefined;
    if (subquery !== undefined) scope.relations.set(aliasOf(fields), { query: this.readStatement(subquery, scope) });
    if (kind !== 'JoinExpr') return;
    for (const side of [fields['larg'], fields['rarg']]) {
      const node = toNode(side);
      if (node !== undefined) this.#addFrom(node, scope, block);
    }
    this.#readConditions(toNode(fields['quals']), scope, block);
    for (const column of usingColumns(fields)) addUsing(column, scope, block);
  }

  #addTable(fields: Fields, scope: Scope): void {
    const name = toText(fields['relname']);
    const schema = typeof fields['schemaname'] === 'string' ? fields['schemaname'] : undefined;
    const cte = schema === undefined ? scope.findCte(name) : undefined;
    const view = cte === undefined ? this.#names.view(schema, name) : undefined;
    const query = cte ?? (view && this.#readView(view));
    scope.relations.set(aliasOf(fields), query === undefined ? { tables: this.#names.tables(schema, name) } : { query });
  }

  #readView(view: SyntaxNode): Scope {
    // The entry exists before the view is read, so a view that refers to itself by name ends the recursion.
    const known = this.#views.get(view);
    if (known !== undefined) return known;
    this.#views.set(view, new Scope());
    const scope = this.readStatement(view);
    this.#views.set(view, scope);
    return scope;
  }

  #readConditions(node: SyntaxNode | undefined, scope: Scope, block: QueryBlock): void {
    const context = { lookup: scope.lookup, params: this.#names.params };
    for (const condition of splitCondition(node, 'AND_EXPR')) {
      const alternatives = splitCondition(condition, 'OR_EXPR');
      if (alternatives.length === 1) block.uses.push(...readCondition(condition, context));
      else
        for (const alternative of alternatives)
          block.alternatives.push(splitCondition(alternative, 'AND_EXPR').flatMap((part) => readCondition(part, context)));
    }
    if (node !== undefined) this.#readSubqueries([node], scope, block);
  }

  /** Reads the subqueries of expressions. The operand of `IN` and the output of its subquery are compared for equality. */
  #readSubqueries(expressions: readonly SyntaxNode[], scope: Scope, block?: QueryBlock): void {
    const links = expressions
      .flatMap((node) => collectNodes(node, ({ kind }) => kind !== 'SubLink'))
      .filter(({ kind }) => kind === 'SubLink');
    for (const { fields } of links) {
      const query = toNode(fields['subselect']);
      if (query === undefined) continue;
      const inner = this.readStatement(query, scope);
      if (fields['subLinkType'] !== 'ANY_SUBLINK' || block === undefined) continue;
      const [output] = inner.outputs.keys();
      const keys = [
        toKey(toNode(fields['testexpr']), scope.lookup),
        output === undefined ? undefined : Scope.output(inner, output),
      ];
      for (const key of keys) if (key !== undefined) block.uses.push({ key, kind: 'equal', isJoin: true });
    }
  }
}

function addUsing(column: string, scope: Scope, block: QueryBlock): void {
  for (const relation of scope.relations.values()) {
    const keys =
      'query' in relation
        ? [Scope.output(relation.query, column)]
        : relation.tables.map((table) => (table.columns.has(column) ? columnKey(table, column) : undefined));
    for (const key of keys) if (key !== undefined) block.uses.push({ key, kind: 'equal', isJoin: true });
  }
}

function readOrders(fields: Fields, scope: Scope, block: QueryBlock): void {
  const { sortClause, groupClause, distinctClause, limitCount, targetList } = fields;
  block.isLimited = limitCount !== undefined;
  const targets = toNodes(targetList);
  const resolve = (node: SyntaxNode | undefined): Key | undefined => resolveOutput(node, targets, scope);
  addOrder(
    block,
    toNodes(sortClause).map(({ fields: sort }) => toSortKey(sort, resolve)),
  );
  const groups = toNodes(groupClause).map((node) => ascending(resolve(node)));
  addOrder(block, groups);
  if (distinctClause !== undefined && toNodes(distinctClause).length === 0 && targets.length <= MAX_GROUPED)
    addOrder(
      block,
      targets.map(({ fields: target }) => ascending(resolve(toNode(target['val'])))),
    );
  for (const target of targets) readExtreme(target, groups, scope, block);
}

function readExtreme(target: SyntaxNode, groups: readonly (SortKey | undefined)[], scope: Scope, block: QueryBlock): void {
  const value = toNode(target.fields['val']);
  const [argument, ...others] = toNodes(value?.fields['args']);
  const name = value?.kind === 'FuncCall' ? (getName(value.fields['funcname']).at(-1) ?? '') : '';
  const key = EXTREMES.has(name) && others.length === 0 ? toKey(argument, scope.lookup) : undefined;
  if (key === undefined) return;
  if (groups.length === 0) block.extremes.push(key);
  else addOrder(block, [...groups, ascending(key)]);
}

const EXTREMES: ReadonlySet<string> = new Set(['min', 'max']);

/** Maximum number of columns of DISTINCT for which an index is proposed. */
const MAX_GROUPED = 3;

function ascending(key: Key | undefined): SortKey | undefined {
  return key && { key, isDescending: false, nullsFirst: undefined };
}

// An order of columns of several tables cannot come from one index, but its first columns can.
function addOrder(block: QueryBlock, keys: readonly (SortKey | undefined)[]): void {
  const order: SortKey[] = [];
  for (const sort of keys) {
    if (sort === undefined || (order[0] !== undefined && order[0].key.table !== sort.key.table)) break;
    order.push(sort);
  }
  if (order.length > 0) block.orders.push(order);
}

function toSortKey(
  { node, sortby_dir, sortby_nulls }: Fields,
  resolve: (node: SyntaxNode | undefined) => Key | undefined,
): SortKey | undefined {
  const key = resolve(toNode(node));
  const nullsFirst = sortby_nulls === 'SORTBY_NULLS_FIRST' ? true : sortby_nulls === 'SORTBY_NULLS_LAST' ? false : undefined;
  return key && { key, isDescending: sortby_dir === 'SORTBY_DESC', nullsFirst };
}

/** Returns the key for an item of ORDER BY or GROUP BY, which may be the number or name of an output column. */
function resolveOutput(node: SyntaxNode | undefined, targets: readonly SyntaxNode[], scope: Scope): Key | undefined {
  if (node?.kind === 'A_Const')
    return toKey(toNode(targets[Number(toFields(node.fields['ival'])['ival']) - 1]?.fields['val']), scope.lookup);
  const names = node?.kind === 'ColumnRef' ? getName(node.fields['fields']) : [];
  const output = names.length === 1 ? targets.find(({ fields }) => fields['name'] === names[0]) : undefined;
  return toKey(output === undefined ? node : toNode(output.fields['val']), scope.lookup);
}

/** Adds the columns that the SELECT reads. A subquery may read further columns, so its columns count, too. */
function addColumns(fields: Fields, scope: Scope, block: QueryBlock): void {
  const references = collectNodes({ kind: 'SelectStmt', fields }).filter(({ kind }) => kind === 'ColumnRef');
  for (const { fields: reference } of references) {
    const names = getName(reference['fields']);
    if (names.at(-1) === '') for (const table of scope.listTables()) block.columns.set(table, undefined);
    const key = scope.lookup(names);
    if (key === undefined) continue;
    const known = block.columns.has(key.table) ? block.columns.get(key.table) : new Set<string>();
    for (const column of key.columns) known?.add(column);
    block.columns.set(key.table, known);
  }
}

/** Returns the names of all relations in a statement, without schemas. */
export function listRelationNames(statement: SyntaxNode): readonly string[] {
  const names = collectNodes(statement)
    .filter(({ kind }) => kind === 'RangeVar' || kind === 'relation')
    .map(({ fields: { relname } }) => relname);
  return [...new Set(toList(names).filter((name) => typeof name === 'string'))];
}
