import type { Connection } from '../database/connect/connection.ts';
import type { Masks } from '../policy/masks/masks.ts';
import { requireParsable } from '../policy/parse/bounds.ts';
import { parseSql } from '../policy/parse/parser.ts';
import type { SyntaxNode } from '../policy/parse/syntax-tree.ts';
import { hideFrequentValues } from './statement/hide-frequent-values.ts';
import { findUses, listRelationNames, type QueryBlock } from './statement/statement-uses.ts';
import { readTableFacts, type TableFacts } from './statement/table-facts.ts';

/** Maximum nesting depth of the views whose definitions are read. */
const MAX_VIEW_DEPTH = 5;

/** A relation in a plan. */
export interface PlannedRelation {
  readonly schema: string;
  readonly name: string;
}

export interface StatementUses {
  readonly blocks: readonly QueryBlock[];
  readonly tables: readonly TableFacts[];
}

/**
 * Finds out how a statement, including the views it reads, uses the columns of tables.
 *
 * @param planned the relations in the plan of the statement, which decide between tables of the same name
 */
export async function readStatementUses(
  connection: Connection,
  {
    sql,
    params,
    planned,
    masks,
  }: {
    readonly sql: string;
    readonly params: readonly (string | null)[];
    readonly planned: readonly PlannedRelation[];
    readonly masks: Masks | undefined;
  },
): Promise<StatementUses> {
  requireParsable(sql);
  const [statement] = await parseSql(sql);
  if (statement === undefined) return { blocks: [], tables: [] };
  const { tables, views } = await readRelations(connection, statement, masks);
  const isPlanned = ({ schema, name }: TableFacts): boolean => planned.some((one) => one.schema === schema && one.name === name);
  const find = (schema: string | undefined, name: string): readonly TableFacts[] => {
    const named = tables.filter((table) => table.name === name && (schema === undefined || table.schema === schema));
    const read = named.filter(isPlanned);
    return read.length > 0 ? read : named.filter(({ isPartitioned }) => isPartitioned);
  };
  const view = (schema: string | undefined, name: string): SyntaxNode | undefined => {
    const isTable = find(schema, name).length > 0;
    const found = tables.find(
      (table) => views.has(table) && table.name === name && (schema === undefined || table.schema === schema),
    );
    return found === undefined || isTable ? undefined : views.get(found);
  };
  return { blocks: findUses(statement, { tables: find, view, params }), tables };
}

interface Relations {
  readonly tables: readonly TableFacts[];
  readonly views: ReadonlyMap<TableFacts, SyntaxNode>;
}

/** Returns the facts of all relations that a statement or its views name, and the definitions of the views. */
async function readRelations(connection: Connection, statement: SyntaxNode, masks: Masks | undefined): Promise<Relations> {
  const tables: TableFacts[] = [];
  const views = new Map<TableFacts, SyntaxNode>();
  const seen = new Set<string>();
  let wanted = listRelationNames(statement);
  for (let depth = 0; depth <= MAX_VIEW_DEPTH && wanted.length > 0; depth++) {
    for (const name of wanted) seen.add(name);
    const read = await hideFrequentValues(connection, masks, await readTableFacts(connection, wanted));
    tables.push(...read);
    const definitions: SyntaxNode[] = [];
    for (const table of read) {
      const definition = await parseDefinition(table);
      if (definition === undefined) continue;
      views.set(table, definition);
      definitions.push(definition);
    }
    wanted = [...new Set(definitions.flatMap(listRelationNames))].filter((name) => !seen.has(name));
  }
  return { tables, views };
}

async function parseDefinition({ definition }: TableFacts): Promise<SyntaxNode | undefined> {
  if (definition === undefined) return undefined;
  requireParsable(definition);
  const [statement] = await parseSql(definition);
  return statement;
}
