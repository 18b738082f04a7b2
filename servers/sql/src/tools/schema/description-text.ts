import { quoteName } from '../../catalog/object-name.ts';
import type { DescribedColumn, DescribedKey, Description } from '../../catalog/description.ts';
import { fenced } from '../../rows/fenced.ts';
import { visible } from '../../rows/shown-value.ts';

/** Writes a description as text, with a note about parts that are cut. */
export function formatDescription(description: Description): string {
  const { schema, name, kind, comment, estimated_rows: rows } = description;
  const about = rows === undefined ? '' : `, ~${rows} rows`;
  const lines = [
    `${kind} ${kind === 'schema' ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`}${about}${formatComment(comment)}`,
    ...(description.columns ?? []).map(formatColumn),
    ...formatKeys(description),
    ...formatParts(description),
    ...formatMeasures(description),
    ...formatMembers(description),
    ...[description.definition, description.sample, description.ddl].filter((text) => text !== undefined),
  ];
  return [fenced(visible(lines.join('\n')), ''), ...noteCuts(description)].join('\n');
}

function noteCuts({ truncated, kind }: Description): readonly string[] {
  if (truncated === undefined) return [];
  const listed = kind === 'schema' ? 'the objects of a schema' : 'columns';
  return [
    `[Cut: ${truncated.join('; ')}. Include fewer parts; search_objects with schema${kind === 'schema' ? '' : ' and kinds: ["column"]'} lists ${listed} page by page.]`,
  ];
}

/** Formats a comment for the end of a line; returns an empty text without a comment. */
export function formatComment(comment: string | undefined): string {
  if (comment === undefined) return '';
  const lines = comment.split(/[\n\r]/).map((line) => line.trim());
  return ` -- ${lines.filter((line) => line !== '').join(' ')}`;
}

function formatColumn(column: DescribedColumn): string {
  const value =
    column.default === undefined ? '' : ` ${column.default.startsWith('generated ') ? '' : 'default '}${column.default}`;
  const labels = column.labels === undefined ? '' : ` (${column.labels.join(', ')})`;
  const stats = [
    ...(column.null_fraction === undefined ? [] : [`${Math.round(column.null_fraction * 100)} % null`]),
    ...(column.distinct === undefined ? [] : [formatDistinct(column.distinct)]),
    ...(column.common_values === undefined ? [] : [`often ${column.common_values.join(', ')}`]),
  ].join(', ');
  const head = `  ${quoteName(column.name)} ${column.type}${labels}${column.nullable ? '' : ' not null'}${value}`;
  return `${head}${stats === '' ? '' : ` [${stats}]`}${formatComment(column.comment)}`;
}

function formatDistinct(distinct: number): string {
  return distinct >= 0 ? `~${distinct} distinct` : `~${Math.round(-distinct * 100)} % distinct`;
}

function formatKeys({ primary_key = [], foreign_keys = [], referenced_by = [] }: Description): readonly string[] {
  return [
    ...(primary_key.length === 0 ? [] : [`primary key (${quoteNames(primary_key)})`]),
    ...foreign_keys.map(
      ({ columns, table, references }) => `(${quoteNames(columns)}) references ${formatTarget(table, references)}`,
    ),
    ...referenced_by.map(
      ({ table, columns, references }) => `referenced by ${formatTarget(table, columns)} to (${quoteNames(references)})`,
    ),
  ];
}

function formatTarget(table: DescribedKey['table'], columns: readonly string[]): string {
  return `${table} (${quoteNames(columns)})`;
}

function quoteNames(columns: readonly string[]): string {
  return columns.map(quoteName).join(', ');
}

function formatParts({
  constraints = [],
  indexes = [],
  triggers = [],
  policies = [],
  partitions = [],
}: Description): readonly string[] {
  return [
    ...constraints.map(({ name, definition }) => `constraint ${quoteName(name)} ${definition}`),
    ...[...indexes, ...triggers].map(({ definition }) => definition),
    ...policies.map(({ name, definition }) => `policy ${quoteName(name)} ${definition}`),
    ...partitions.map(({ name, definition }) => `partition ${name} ${definition}`),
  ];
}

function formatMeasures({ size, stats }: Description): readonly string[] {
  return [
    ...(size === undefined ? [] : [`table ${size.table_bytes} bytes, indexes ${size.index_bytes} bytes`]),
    ...(stats === undefined
      ? []
      : [
          `${stats.live_rows} live rows, ${stats.dead_rows} dead, ${stats.sequential_scans} sequential scans, ` +
            `${stats.index_scans} index scans, vacuumed ${stats.last_vacuum ?? 'never'}, analyzed ${stats.last_analyze ?? 'never'}`,
        ]),
  ];
}

function formatMembers({ dependents = [], members = [] }: Description): readonly string[] {
  return [
    ...dependents.map(({ kind, name }) => `used by ${kind} ${name}`),
    ...members.map(
      ({ kind, name, comment }) => `  ${kind} ${kind === 'function' ? name : quoteName(name)}${formatComment(comment)}`,
    ),
  ];
}
