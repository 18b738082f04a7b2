/** A column of a result. */
export interface Column {
  readonly name: string;
  /** Name of the type, such as `numeric(10,2)`. */
  readonly type: string;
}

/** Each value is text as the database formats it, or null. */
export type Row = readonly (string | null)[];

const NUMBER = /^(smallint|integer|bigint|numeric|real|double precision|int\d?|float\d?|decimal|oid)\b/i;
const TIME = /^(date|timestamp)/i;

/** Groups of types, by which values are sorted and drawn. */
export type Kind = 'number' | 'time' | 'text';

export function kindOf({ type }: Column): Kind {
  if (type.endsWith('[]')) return 'text';
  if (NUMBER.test(type)) return 'number';
  return TIME.test(type) ? 'time' : 'text';
}

/** Returns a number or the seconds since 1970; `undefined` for NULL, infinity and texts. */
export function toNumber(value: string | null | undefined, kind: Kind): number | undefined {
  if (value === null || value === undefined || kind === 'text') return undefined;
  const number = kind === 'number' ? Number(value) : parseTime(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Parses a time such as `2026-07-28 12:00:00+00`. A time without a zone is read as UTC. */
function parseTime(value: string): number {
  const [date = '', time] = value.split(' ');
  if (time === undefined) return Date.parse(date) / 1000;
  const zoned = time.replace(/[+-]\d\d$/, '$&:00');
  return Date.parse(`${date}T${/[+-]\d\d:\d\d$/.test(zoned) ? zoned : `${zoned}Z`}`) / 1000;
}

/** Compares two values of a column; NULL is last. */
export function compareValues(one: string | null, other: string | null, kind: Kind): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const [first, second] = [toNumber(one, kind), toNumber(other, kind)];
  if (first !== undefined && second !== undefined && first !== second) return first - second;
  return one.localeCompare(other, undefined, { numeric: kind !== 'text' });
}

/** Writes rows as CSV. NULL is empty, and an empty text is `""`. */
export function toCsv(columns: readonly Column[], rows: readonly Row[]): string {
  const quote = (value: string): string => (value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const line = (values: Row): string => `${values.map((value) => (value === null ? '' : quote(value))).join(',')}\r\n`;
  return [columns.map(({ name }) => name), ...rows].map(line).join('');
}

/** Writes rows as lines with tabs, for spreadsheets. Tabs and line breaks in values become spaces. */
export function toTabs(columns: readonly Column[], rows: readonly Row[]): string {
  const line = (values: Row): string => values.map((value) => (value ?? '').replaceAll(/[\t\r\n]+/g, ' ')).join('\t');
  return [columns.map(({ name }) => name), ...rows].map(line).join('\n');
}
