import type { Connection } from '../database/connection.ts';
import type { Row } from '../rows/format.ts';

/** Answers several questions about one object, whose oid is `$1` in each, in one round trip. */
export async function gather<Name extends string>(
  connection: Connection,
  oid: string,
  questions: Readonly<Partial<Record<Name, string>>>,
): Promise<ReadonlyMap<Name | string, readonly Row[]>> {
  const asked = Object.entries<string | undefined>(questions);
  if (asked.length === 0) return new Map();
  const answers = asked.map(([, question], place) => `(select json_agg(to_json(q${place})) from (${question}) q${place})`);
  const [row = []] = await connection.rows(`select ${answers.join(',\n')} from (select $1::oid) object`, [oid]);
  return new Map(asked.map(([name], place) => [name, rowsOf(row[place])]));
}

function rowsOf(json: string | null | undefined): readonly Row[] {
  const rows: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(rows) ? rows.map((row: unknown) => Object.values(row ?? {}).map(textOf)) : [];
}

function textOf(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'boolean' ? (value ? 't' : 'f') : JSON.stringify(value);
}
