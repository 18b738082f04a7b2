import { Result } from '@org/mcp-decorators';

import type { DescribedColumn, DescribedKey, Description } from '../operations/description.ts';
import { fenced } from '../rows/fenced.ts';
import { visible } from '../rows/shown-value.ts';

export function descriptionResult(description: Description): Result {
  const { schema, name, kind, comment, estimated_rows: rows } = description;
  const about = rows === undefined ? '' : `, ~${rows} rows`;
  const lines = [
    `${kind} ${kind === 'schema' ? spelled(name) : `${spelled(schema)}.${spelled(name)}`}${about}${noted(comment)}`,
    ...(description.columns ?? []).map(columnLine),
    ...keyLines(description),
    ...partLines(description),
    ...measureLines(description),
    ...memberLines(description),
    ...[description.definition, description.sample, description.ddl].filter((text) => text !== undefined),
  ];
  return Result.of(description, [fenced(visible(lines.join('\n')), ''), ...cutNote(description)].join('\n'));
}

function cutNote({ truncated, kind }: Description): readonly string[] {
  if (truncated === undefined) return [];
  const listed = kind === 'schema' ? 'the objects of a schema' : 'columns';
  return [
    `[Not shown whole: ${truncated.join('; ')}. Include fewer parts; search_objects with schema${kind === 'schema' ? '' : ' and kinds: ["column"]'} lists ${listed} page by page.]`,
  ];
}

/** How a comment is shown behind what it is about, on the same line. */
export function noted(comment: string | undefined): string {
  if (comment === undefined) return '';
  const lines = comment.split(/[\n\r]/).map((line) => line.trim());
  return ` -- ${lines.filter((line) => line !== '').join(' ')}`;
}

/** A name as SQL spells it, on one line. */
export function spelled(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""').replaceAll(/[\n\r]/g, ' ')}"`;
}

function columnLine(column: DescribedColumn): string {
  const value =
    column.default === undefined ? '' : ` ${column.default.startsWith('generated ') ? '' : 'default '}${column.default}`;
  const labels = column.labels === undefined ? '' : ` (${column.labels.join(', ')})`;
  const stats = [
    ...(column.null_fraction === undefined ? [] : [`${Math.round(column.null_fraction * 100)} % null`]),
    ...(column.distinct === undefined ? [] : [distinctText(column.distinct)]),
    ...(column.common_values === undefined ? [] : [`often ${column.common_values.join(', ')}`]),
  ].join(', ');
  const head = `  ${spelled(column.name)} ${column.type}${labels}${column.nullable ? '' : ' not null'}${value}`;
  return `${head}${stats === '' ? '' : ` [${stats}]`}${noted(column.comment)}`;
}

function distinctText(distinct: number): string {
  return distinct >= 0 ? `~${distinct} different` : `~${Math.round(-distinct * 100)} % different`;
}

function keyLines({ primary_key = [], foreign_keys = [], referenced_by = [] }: Description): readonly string[] {
  return [
    ...(primary_key.length === 0 ? [] : [`primary key (${names(primary_key)})`]),
    ...foreign_keys.map(({ columns, table, references }) => `(${names(columns)}) references ${target(table, references)}`),
    ...referenced_by.map(({ table, columns, references }) => `referenced by ${target(table, columns)} to (${names(references)})`),
  ];
}

function target(table: DescribedKey['table'], columns: readonly string[]): string {
  return `${table} (${names(columns)})`;
}

function names(columns: readonly string[]): string {
  return columns.map(spelled).join(', ');
}

function partLines({
  constraints = [],
  indexes = [],
  triggers = [],
  policies = [],
  partitions = [],
}: Description): readonly string[] {
  return [
    ...constraints.map(({ name, definition }) => `constraint ${spelled(name)} ${definition}`),
    ...[...indexes, ...triggers].map(({ definition }) => definition),
    ...policies.map(({ name, definition }) => `policy ${spelled(name)} ${definition}`),
    ...partitions.map(({ name, definition }) => `partition ${name} ${definition}`),
  ];
}

function measureLines({ size, stats }: Description): readonly string[] {
  return [
    ...(size === undefined ? [] : [`${size.table_bytes} bytes, indexes ${size.index_bytes} bytes`]),
    ...(stats === undefined
      ? []
      : [
          `${stats.live_rows} live rows, ${stats.dead_rows} dead, ${stats.sequential_scans} sequential scans, ` +
            `${stats.index_scans} index scans, vacuumed ${stats.last_vacuum ?? 'never'}, analyzed ${stats.last_analyze ?? 'never'}`,
        ]),
  ];
}

function memberLines({ dependents = [], members = [] }: Description): readonly string[] {
  return [
    ...dependents.map(({ kind, name }) => `used by ${kind} ${name}`),
    ...members.map(({ kind, name, comment }) => `  ${kind} ${kind === 'function' ? name : spelled(name)}${noted(comment)}`),
  ];
}
