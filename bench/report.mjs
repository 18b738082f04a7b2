import { table } from './table.mjs';

/** What a benchmark of several parts has found, to be printed; notes stand before the tables. */
export function reportOf(title, parts, notes = []) {
  const tables = parts.map(({ heading, header, rows }) => `${heading}\n\n${table(header, rows)}`);
  return { title, body: [...notes, ...tables].join('\n\n'), bars: parts.flatMap(({ bars }) => bars) };
}
