import { table } from './table.mjs';

/** Formats the results of a benchmark with several parts for printing; notes are printed before the tables. */
export function reportOf(title, parts, notes = []) {
  const tables = parts.map(({ heading, header, rows }) => `${heading}\n\n${table(header, rows)}`);
  return { title, body: [...notes, ...tables].join('\n\n'), bars: parts.flatMap(({ bars }) => bars) };
}
