import { Result } from '@org/mcp-decorators';

import type { Description } from '../operations/describe.ts';
import type { ExplainedPlan } from '../operations/explain.ts';
import type { ServedDatabases } from '../operations/list-databases.ts';
import type { FoundObjects } from '../operations/search-objects.ts';
import { visible } from '../rows/shown-value.ts';

export function descriptionResult(description: Description): Result {
  const { schema, name, kind, comment, columns, primary_key, foreign_keys, referenced_by, constraints, indexes } = description;
  const lines = [
    `${kind} ${schema}.${name}${noted(comment)}`,
    ...columns.map((column) => {
      const value = column.default === undefined ? '' : ` default ${column.default}`;
      const labels = column.labels === undefined ? '' : ` (${column.labels.join(', ')})`;
      return `  ${column.name} ${column.type}${labels}${column.nullable ? '' : ' not null'}${value}${noted(column.comment)}`;
    }),
    ...(primary_key.length === 0 ? [] : [`primary key (${primary_key.join(', ')})`]),
    ...foreign_keys.map((key) => `(${key.columns.join(', ')}) references ${key.table} (${key.references.join(', ')})`),
    ...referenced_by.map((key) => `referenced by ${key.table} (${key.columns.join(', ')})`),
    ...constraints.map(({ name: constraint, definition }) => `constraint ${constraint} ${definition}`),
    ...indexes.map(({ definition }) => definition),
    ...(description.definition === undefined ? [] : [description.definition]),
  ];
  return Result.of(description, visible(lines.join('\n')));
}

export function foundResult(found: FoundObjects): Result {
  const { objects, truncated, suggestions } = found;
  const lines = objects.map(
    ({ schema, name, kind, detail, comment }) =>
      `${kind} ${kind === 'schema' ? name : `${schema}.${name}`}${detail === undefined ? '' : ` ${detail}`}${noted(comment)}`,
  );
  if (objects.length === 0) lines.push('Nothing was found');
  if (suggestions !== undefined) lines.push(`Did you mean ${suggestions.join(', ')}?`);
  if (truncated) lines.push('… there are more; narrow the pattern or raise the limit');
  return Result.of(found, visible(lines.join('\n')));
}

export function planResult(explained: ExplainedPlan): Result {
  const { plan, summary } = explained;
  const time = summary.execution_ms === undefined ? '' : `, ran in ${summary.execution_ms} ms`;
  return Result.of(
    explained,
    [
      visible(plan),
      `cost ${summary.cost}, ~${summary.rows} rows${time}`,
      ...summary.misestimates.map((text) => `misestimate: ${text}`),
    ].join('\n'),
  );
}

export function databasesResult(served: ServedDatabases): Result {
  const lines = served.databases.map(
    ({ id, engine, version, role, embedded, read_only }) =>
      `${id}: ${engine} ${version}${embedded ? ', embedded' : ''}, ${read_only ? 'read-only' : 'read'} as ${role}${read_only ? '' : ', and written by execute'}`,
  );
  return Result.of(served, lines.join('\n'));
}

function noted(comment: string | undefined): string {
  return comment === undefined ? '' : ` -- ${comment}`;
}
