import type { Reference, SchemaColumn, SchemaTable } from './schema-tables.ts';

/** Which columns a diagram shows. */
export const SHOWN_COLUMNS = ['keys', 'all', 'none'] as const;

export type ShownColumns = (typeof SHOWN_COLUMNS)[number];

/** An entity-relationship diagram in Mermaid's language; references to tables that are not among them are left out. */
export function mermaid(tables: readonly SchemaTable[], shown: ShownColumns): string {
  const several = new Set(tables.map(({ schema }) => schema)).size > 1;
  const entities = new Map(
    tables.map(({ schema, name }, index) => [keyOf(schema, name), entity(several ? `${schema}.${name}` : name, index)]),
  );
  const lines = tables.flatMap((table) => {
    const { id, alias } = entities.get(keyOf(table.schema, table.name)) ?? entity(table.name, 0);
    const columns = table.columns
      .filter((column) => isShown(column, table, shown))
      .map((column) => `    ${columnLine(column, table)}`);
    return columns.length === 0 ? [`  ${id}${alias}`] : [`  ${id}${alias} {`, ...columns, '  }'];
  });
  const links = tables.flatMap((table) =>
    table.references.flatMap((reference) => {
      const from = entities.get(keyOf(reference.schema, reference.table));
      const to = entities.get(keyOf(table.schema, table.name));
      return from === undefined || to === undefined
        ? []
        : [`  ${from.id} ${link(table, reference)} ${to.id} : ${label(reference.columns.join(', '))}`];
    }),
  );
  return ['erDiagram', ...lines, ...links].join('\n');
}

interface Entity {
  readonly id: string;
  /** What is shown in place of the id. */
  readonly alias: string;
}

function entity(name: string, index: number): Entity {
  // Words of the language itself are not names.
  return /^[a-z_]\w*$/i.test(name) && !/^(erDiagram|title|direction|style|class|classDef|[ou]|only|one|many|zero|to)$/i.test(name)
    ? { id: name, alias: '' }
    : { id: `t${index}`, alias: `[${label(name)}]` };
}

function keyOf(schema: string, name: string): string {
  return JSON.stringify([schema, name]);
}

function isShown({ name, isKey }: SchemaColumn, table: SchemaTable, shown: ShownColumns): boolean {
  return shown === 'all' || (shown === 'keys' && (isKey || isReference(name, table)));
}

function isReference(column: string, { references }: SchemaTable): boolean {
  return references.some(({ columns }) => columns.includes(column));
}

function columnLine(column: SchemaColumn, table: SchemaTable): string {
  const { name, type, isArray, isKey } = column;
  const marks = [...(isKey ? ['PK'] : []), ...(isReference(name, table) ? ['FK'] : [])];
  const isPlain = /^[a-z_]\w*$/i.test(name);
  const written = isPlain ? name : word(name);
  return [
    `${word(type)}${isArray ? '[]' : ''}`,
    written,
    ...(marks.length === 0 ? [] : [marks.join(', ')]),
    ...(isPlain ? [] : [label(name)]),
  ].join(' ');
}

/** Of the other table's rows to this one's. */
function link({ columns }: SchemaTable, reference: Reference): string {
  const isOptional = columns.some(({ name, nullable }) => nullable && reference.columns.includes(name));
  return `${isOptional ? '|o' : '||'}--${reference.isUnique ? 'o|' : 'o{'}`;
}

function word(text: string): string {
  const plain = text.replaceAll(/\W+/g, '_');
  return /^[a-z]/i.test(plain) ? plain : `c${plain}`;
}

// There are no escapes in its strings.
function label(text: string): string {
  return `"${text.replaceAll('"', "'").replaceAll(/\p{C}/gu, ' ')}"`;
}
