import { ToolError } from '@org/mcp-decorators';

import { quoteInput } from '../../text/visible.ts';

/** Whether a day without a time stands for its first second or its last. */
export type DayEdge = 'first' | 'last';

/** Times of day by edge. Without a time of day, git uses the present one. */
const CLOCK: Readonly<Record<DayEdge, string>> = { first: '00:00:00', last: '23:59:59' };

const MAX_TIME = 100;
const DAY = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/;
const DATE_TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d{1,9})?)? ?(?:Z|[+-]\d{2}:?\d{2})?$/;
const SECONDS = /^@\d{9,12}(?: [+-]\d{4})?$/;

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const UNITS = 'second minute hour day week month year'.split(' ');
const NUMBERS = 'one two three four five six seven eight nine ten last'.split(' ');
const MOMENTS = 'now today yesterday noon midnight tea ago am pm never'.split(' ');

/** Words that git accepts in a time. Git ignores any other word, and reads a text of ignored words only as the present time. */
const WORDS: ReadonlySet<string> = new Set([
  ...[...MONTHS, ...DAYS].flatMap((word) => [word, word.slice(0, 3)]),
  ...UNITS.flatMap((word) => [word, `${word}s`]),
  ...NUMBERS,
  ...MOMENTS,
]);
const MONTH_NAMES: ReadonlySet<string> = new Set(MONTHS.flatMap((word) => [word, word.slice(0, 3)]));

/**
 * Converts the time of a caller to a time that git reads in the same way. A day without a time stands for its first or its last
 * second, depending on `edge`.
 *
 * @throws ToolError INVALID_ARGUMENTS for a text that is not a time, which git would read as the present time
 */
export function resolveTime(text: string, edge: DayEdge): string {
  const given = text.trim();
  if (given.length <= MAX_TIME) {
    if (isDay(given)) return `${given} ${CLOCK[edge]}`;
    if (isDateTime(given) || SECONDS.test(given)) return given;
    if (isWords(given)) return resolveWords(given, edge);
  }
  throw new ToolError('INVALID_ARGUMENTS', `${quoteInput(text)} is not a valid time`, {
    hint: 'use a form such as 2026-01-31, 2026-01-31T12:00:00Z or "2 weeks ago"',
  });
}

function isDay(text: string): boolean {
  const { year, month, day } = DAY.exec(text)?.groups ?? {};
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const { date, hour, minute, second = '0' } = DATE_TIME.exec(text)?.groups ?? {};
  return date !== undefined && isDay(date) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}

/** Whether a text consists of numbers and at least one word that git understands, such as `2 weeks ago` or `5 Jan 2026 12:30`. */
function isWords(text: string): boolean {
  const parts = splitWords(text);
  return parts.some((part) => WORDS.has(part)) && parts.every((part) => WORDS.has(part) || isNumber(part));
}

function splitWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[ .,]+/)
    .filter((part) => part !== '');
}

function isNumber(part: string): boolean {
  return /^(?:\d{1,6}(?:st|nd|rd|th)?|\d{1,2}:\d{2}(?::\d{2})?)$/.test(part);
}

/**
 * Replaces the name of a day, such as `yesterday`, with its date. Adds the first or last second of the day to such a date, and to
 * a date with the name of a month. Returns any other text unchanged, such as `3 days ago` or `5 Jan 2026 12:30`.
 */
function resolveWords(text: string, edge: DayEdge): string {
  const parts = splitWords(text);
  const day = findDay(parts);
  if (day !== undefined) return `${day} ${CLOCK[edge]}`;
  const isDate = parts.some((part) => MONTH_NAMES.has(part));
  const hasClock = parts.some((part) => part.includes(':') || CLOCK_WORDS.has(part));
  return isDate && !hasClock ? `${text} ${CLOCK[edge]}` : text;
}

const DAY_MS = 86_400_000;
const CLOCK_WORDS: ReadonlySet<string> = new Set(['am', 'pm', 'noon', 'midnight', 'tea']);

/**
 * Returns the date that `today`, `yesterday`, `monday` or `last monday` names, in the time zone of the process. Returns
 * `undefined` for any other text.
 */
function findDay(parts: readonly string[]): string | undefined {
  const [name = '', ...rest] = parts[0] === 'last' ? parts.slice(1) : parts;
  const weekday = DAYS.findIndex((day) => day === name || day.slice(0, 3) === name);
  if (rest.length > 0 || (weekday === -1 && name !== 'today' && name !== 'yesterday')) return undefined;
  const now = new Date();
  const back = name === 'today' ? 0 : name === 'yesterday' ? 1 : ((now.getDay() + DAYS.length - 2 - weekday) % DAYS.length) + 1;
  // Noon avoids a change of the date by daylight saving time.
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12).getTime() - back * DAY_MS;
  return formatDay(new Date(noon));
}

function formatDay(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}
