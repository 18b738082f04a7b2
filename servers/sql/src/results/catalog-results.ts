import { Result } from '@org/mcp-decorators';

import type { ExplainedPlan } from '../operations/explain.ts';
import type { ServedDatabases } from '../operations/list-databases.ts';
import type { FoundDatabaseObject, FoundObjects } from '../operations/search-objects.ts';
import { fenced } from '../rows/fenced.ts';
import { oneLine, visible } from '../rows/shown-value.ts';
import { noted, spelled } from './description-result.ts';

export function foundResult(found: FoundObjects): Result {
  const { objects, next_cursor, suggestions } = found;
  const lines = objects.map((object) => oneLine(foundLine(object)));
  if (objects.length === 0) lines.push('Nothing was found');
  if (suggestions !== undefined) lines.push(oneLine(`Did you mean ${suggestions.join(', ')}?`));
  if (next_cursor !== undefined) lines.push(`[There are more: narrow the pattern, or go on with cursor ${next_cursor}.]`);
  return Result.of(found, lines.join('\n'));
}

function foundLine(object: FoundDatabaseObject): string {
  const { schema, name, kind, detail, comment, estimated_rows: rows, columns, columns_left_out } = object;
  const qualified = kind === 'schema' ? spelled(name) : `${spelled(schema)}.${spelled(name)}`;
  const signature = detail === undefined ? '' : ` ${detail}`;
  const rest = columns_left_out === undefined ? '' : `, … ${columns_left_out} more: kinds: ["column"] lists them`;
  const about = `${rows === undefined ? '' : `, ~${rows} rows`}${columns === undefined ? '' : ` (${columns.join(', ')}${rest})`}`;
  return `${kind} ${qualified}${signature}${about}${noted(comment)}`;
}

export function planResult(explained: ExplainedPlan): Result {
  const { plan, summary } = explained;
  const time = summary.execution_ms === undefined ? '' : `, ran in ${summary.execution_ms} ms`;
  const lines = [
    plan,
    `cost ${summary.cost}, ~${summary.rows} rows${time}`,
    ...summary.hot_nodes,
    ...summary.misestimates.map((text) => `misestimate: ${text}`),
    ...summary.warnings.map((text) => `warning: ${text}`),
    ...(summary.settings ?? []).map((text) => `setting: ${text}`),
  ];
  const cut = summary.truncated?.join('; ');
  const note =
    cut === undefined ? [] : [`[${cut}. The format text is shorter than json; a plan of fewer partitions or joins is shorter.]`];
  return Result.of(explained, [fenced(visible(lines.join('\n')), ''), ...note].join('\n'));
}

export function databasesResult(served: ServedDatabases): Result {
  const lines = served.databases.map(({ id, error, engine, version, role, embedded, read_only }) =>
    error === undefined
      ? `${id}: ${engine} ${version}${embedded ? ', embedded' : ''}, ${read_only ? `read-only as ${role}` : `read as ${role}, and written by execute`}`
      : `${id}: cannot be used: ${error}`,
  );
  return Result.of(served, lines.join('\n'));
}
