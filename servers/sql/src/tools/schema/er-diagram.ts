import { Flag, Integer, OneOf, Result, Text, type RequestContext } from '@org/mcp-decorators';

import type { Reference, SchemaColumn, SchemaTable } from '../../catalog/schema-table.ts';
import { timeoutFor } from '../../engine/limits.ts';
import type { SqlDatabase } from '../../engine/sql-database.ts';
import { fenced } from '../../rows/fenced.ts';
import { writeThatFit } from '../../rows/fit.ts';
import { visible } from '../../rows/shown-value.ts';
import { noteMissingTables, TablesInput } from './tables-input.ts';

/** Which columns of a table a diagram shows. */
const SHOWN_COLUMNS = ['keys', 'all', 'none'] as const;

type ShownColumns = (typeof SHOWN_COLUMNS)[number];

/** Draws an entity-relationship diagram of the tables in Mermaid syntax. Foreign keys to tables outside the list are omitted. */
function drawMermaid(tables: readonly SchemaTable[], shown: ShownColumns): string {
  const several = new Set(tables.map(({ schema }) => schema)).size > 1;
  const entities = new Map(
    tables.map(({ schema, name }, index) => [makeKey(schema, name), makeEntity(several ? `${schema}.${name}` : name, index)]),
  );
  const lines = tables.flatMap((table) => {
    const { id, alias } = entities.get(makeKey(table.schema, table.name)) ?? makeEntity(table.name, 0);
    const columns = table.columns
      .filter((column) => isShown(column, table, shown))
      .map((column) => `    ${formatColumn(column, table)}`);
    return columns.length === 0 ? [`  ${id}${alias}`] : [`  ${id}${alias} {`, ...columns, '  }'];
  });
  const links = tables.flatMap((table) =>
    table.references.flatMap((reference) => {
      const from = entities.get(makeKey(reference.schema, reference.table));
      const to = entities.get(makeKey(table.schema, table.name));
      return from === undefined || to === undefined
        ? []
        : [`  ${from.id} ${drawLink(table, reference)} ${to.id} : ${quoteLabel(reference.columns.join(', '))}`];
    }),
  );
  return ['erDiagram', ...lines, ...links].join('\n');
}

interface Entity {
  readonly id: string;
  /** Name in brackets that Mermaid shows instead of the id; empty if the id is the name. */
  readonly alias: string;
}

function makeEntity(name: string, index: number): Entity {
  // Mermaid does not accept its keywords as ids, so such a table gets an id with a number.
  return /^[a-z_]\w*$/i.test(name) && !/^(erDiagram|title|direction|style|class|classDef|[ou]|only|one|many|zero|to)$/i.test(name)
    ? { id: name, alias: '' }
    : { id: `t${index}`, alias: `[${quoteLabel(name)}]` };
}

function makeKey(schema: string, name: string): string {
  return JSON.stringify([schema, name]);
}

function isShown({ name, isKey }: SchemaColumn, table: SchemaTable, shown: ShownColumns): boolean {
  return shown === 'all' || (shown === 'keys' && (isKey || isReference(name, table)));
}

function isReference(column: string, { references }: SchemaTable): boolean {
  return references.some(({ columns }) => columns.includes(column));
}

function formatColumn(column: SchemaColumn, table: SchemaTable): string {
  const { name, type, isArray, isKey } = column;
  const marks = [...(isKey ? ['PK'] : []), ...(isReference(name, table) ? ['FK'] : [])];
  const isPlain = /^[a-z_]\w*$/i.test(name);
  const written = isPlain ? name : toWord(name);
  return [
    `${toWord(type)}${isArray ? '[]' : ''}`,
    written,
    ...(marks.length === 0 ? [] : [marks.join(', ')]),
    ...(isPlain ? [] : [quoteLabel(name)]),
  ].join(' ');
}

/** Returns Mermaid's symbol for the cardinalities of a foreign key: the referenced table on the left, this table on the right. */
function drawLink({ columns }: SchemaTable, reference: Reference): string {
  const isOptional = columns.some(({ name, nullable }) => nullable && reference.columns.includes(name));
  return `${isOptional ? '|o' : '||'}--${reference.isUnique ? 'o|' : 'o{'}`;
}

function toWord(text: string): string {
  const plain = text.replaceAll(/\W+/g, '_');
  return /^[a-z]/i.test(plain) ? plain : `c${plain}`;
}

// Strings of Mermaid have no escapes, so double quotes become single quotes.
function quoteLabel(text: string): string {
  return `"${text.replaceAll('"', "'").replaceAll(/\p{C}/gu, ' ')}"`;
}

export class ErDiagramInput extends TablesInput {
  @OneOf(SHOWN_COLUMNS, 'Which columns to show') columns: ShownColumns = 'keys';
  @Integer('Maximum number of tables', { min: 1, max: 200 }) limit = 50;
}

export class ErDiagram {
  @Text('Mermaid source of the diagram') diagram!: string;
  @Integer('Number of tables and views shown') tables!: number;
  @Flag('More tables exist') truncated!: boolean;
  @Flag('The only table shown lacks some columns', { optional: true }) cut?: boolean;
}

/** @throws ToolError errors of the database */
export async function drawErDiagram(database: SqlDatabase, input: ErDiagramInput, context: RequestContext): Promise<Result> {
  const { drawn, tables } = await buildDiagram(database, input, context);
  const text = [fenced(visible(drawn.diagram), 'mermaid'), ...noteMissingTables(drawn)].join('\n');
  return Result.of(drawn, text, { forView: () => ({ tables }) });
}

/** A diagram, and the tables that it shows. */
interface BuiltDiagram {
  readonly drawn: ErDiagram;
  readonly tables: readonly SchemaTable[];
}

async function buildDiagram(database: SqlDatabase, input: ErDiagramInput, { signal }: RequestContext): Promise<BuiltDiagram> {
  const { schema, tables: names, columns, limit } = input;
  const timeoutMs = timeoutFor(database, input);
  const found = await database.tables({ schema, tables: names, limit: limit + 1 }, { signal, timeoutMs });
  const draw = (tables: typeof found): string => drawMermaid(tables, columns);
  const { text, count, isCut } = writeThatFit(found.slice(0, limit), draw, database.limits.maxBytes);
  const drawn = { diagram: text, tables: count, truncated: found.length > count, ...(isCut && { cut: true }) };
  return { drawn, tables: found.slice(0, count) };
}
