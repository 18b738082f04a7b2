import { Result } from '@org/mcp-decorators';

import type { IndexAdvice } from '../operations/advise-indexes.ts';
import type { SchemaDifferences } from '../operations/compare-schemas.ts';
import type { ErDiagram } from '../operations/er-diagram.ts';
import type { GeneratedTypes } from '../operations/generate-types.ts';
import type { HeardNotifications } from '../operations/listen.ts';
import type { ColumnProfile, ProfileColumnInput } from '../operations/profile-column.ts';
import { fenced } from '../rows/fenced.ts';
import { Page } from '../rows/page.ts';
import { visible } from '../rows/shown-value.ts';

interface SomeTables {
  readonly tables: number;
  readonly truncated: boolean;
  readonly cut?: boolean;
}

function tablesNote({ tables, truncated, cut = false }: SomeTables): readonly string[] {
  const columns = 'This table has more columns than fit; the operator can raise --max-bytes.';
  const more = `${tables} ${tables === 1 ? 'table is' : 'tables are'} shown, and there are more: name the others in tables.`;
  const notes = [...(cut ? [columns] : []), ...(truncated ? [more] : [])];
  return notes.length === 0 ? [] : [`[${notes.join(' ')}]`];
}

export function adviceResult(advice: IndexAdvice): Result {
  const lines = advice.scans.map(({ table, condition, index_sql, why_not = '' }) => {
    const filter = condition === undefined ? '' : ` by ${condition}`;
    return index_sql === undefined ? `${table}${filter}: no index, ${why_not}` : `${table}${filter}: ${index_sql};`;
  });
  if (lines.length === 0) return Result.of(advice, 'No table is read from end to end');
  const more =
    advice.truncated === true ? ['[There are more: ask about a statement that reads fewer tables or partitions.]'] : [];
  return Result.of(advice, [fenced(visible(lines.join('\n')), ''), ...more].join('\n'));
}

export function diagramResult(drawn: ErDiagram): Result {
  return Result.of(drawn, [fenced(visible(drawn.diagram), 'mermaid'), ...tablesNote(drawn)].join('\n'));
}

export function typesResult(types: GeneratedTypes): Result {
  return Result.of(types, [fenced(visible(types.code), types.language), ...tablesNote(types)].join('\n'));
}

export function profileResult(profile: ColumnProfile, { table, column }: ProfileColumnInput): Result {
  const { type, rows, sampled, nulls, distinct, min, max, average, top } = profile;
  const ends = min === undefined || max === undefined ? [] : [`from ${min} to ${max}`];
  const lines = [
    `${table}.${column} ${type}: ${rows} rows${sampled ? ' (not all)' : ''}, ${nulls} null, ${distinct} different`,
    ...ends,
    ...(average === undefined ? [] : [`average ${average}`]),
    ...top.map(({ value, count }) => `${count} × ${JSON.stringify(value)}`),
  ];
  return Result.of(profile, fenced(visible(lines.join('\n')), ''));
}

/** What sessions told is data. */
export function heardResult(heard: HeardNotifications): Result {
  const { notifications, ended } = heard;
  if (notifications.length === 0) return Result.of(heard, 'No notification arrived in time');
  const page = new Page({ maxRows: notifications.length, maxBytes: Infinity, format: 'csv', keepRows: false });
  for (const { channel, payload, pid } of notifications) page.add([channel, payload, String(pid)]);
  const rest = ended === 'timeout' ? ['the time is over'] : [];
  return Result.of(heard, [fenced(page.text(['channel', 'payload', 'pid']), 'csv'), ...rest].join('\n'));
}

export function differencesResult(compared: SchemaDifferences): Result {
  const { differences, same, truncated, next_offset } = compared;
  const lines = differences.flatMap(({ change, object, here, there }) => [
    `${change} ${object}`,
    ...(here === undefined || here === '' ? [] : [`  here: ${here}`]),
    ...(there === undefined || there === '' ? [] : [`  there: ${there}`]),
  ]);
  const text = differences.length === 0 ? [] : [fenced(visible(lines.join('\n')), '')];
  return Result.of(
    compared,
    [
      ...text,
      `${differences.length} differences, ${same} objects are the same`,
      ...(truncated ? [`[There are more differences: go on with offset ${next_offset ?? 0}.]`] : []),
    ].join('\n'),
  );
}
