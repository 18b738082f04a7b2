/** A pattern of another dialect of SQL, and its equivalent in PostgreSQL. */
interface Dialect {
  /** Pattern of the error message, or of the statement. */
  readonly pattern: RegExp;
  readonly hint: string;
}

/** Returns what PostgreSQL has instead of a function or syntax of another dialect, or `undefined` for any other error. */
export function findDialectHint(message: string, sql: string): string | undefined {
  const called = /^function (?:\w+\.)?(\w+)\(/.exec(message)?.[1]?.toLowerCase();
  if (called !== undefined && Object.hasOwn(FUNCTIONS, called)) return `PostgreSQL has ${FUNCTIONS[called]}`;
  return MESSAGES.find(({ pattern }) => pattern.test(message))?.hint ?? STATEMENTS.find(({ pattern }) => pattern.test(sql))?.hint;
}

const FUNCTIONS: Readonly<Record<string, string>> = {
  add_months: "date + interval '1 month'",
  charindex: 'position(part in text) and strpos(text, part)',
  curdate: 'current_date',
  date_add: "date + interval '1 day'",
  date_format: "to_char(date, 'YYYY-MM-DD')",
  date_sub: "date - interval '1 day'",
  dateadd: "date + interval '1 day'",
  datediff: 'date1 - date2, which is a number of days, and age(date1, date2)',
  datepart: 'extract(year from date)',
  day: 'extract(day from date)',
  from_unixtime: 'to_timestamp(seconds)',
  getdate: 'now()',
  group_concat: "string_agg(value::text, ',' order by value)",
  hour: 'extract(hour from time)',
  if: 'case when … then … else … end',
  ifnull: 'coalesce(value, other)',
  iif: 'case when … then … else … end',
  instr: 'strpos(text, part)',
  isnull: 'coalesce(value, other), and the test value is null',
  json_extract: "value #>> '{key}' and value ->> 'key'",
  last_day: "date_trunc('month', date) + interval '1 month - 1 day'",
  len: 'length(text)',
  listagg: "string_agg(value::text, ',' order by value)",
  locate: 'position(part in text)',
  minute: 'extract(minute from time)',
  month: 'extract(month from date)',
  nvl: 'coalesce(value, other)',
  rand: 'random()',
  str_to_date: "to_date(text, 'YYYY-MM-DD')",
  strftime: "to_char(time, 'YYYY-MM-DD HH24:MI')",
  sysdate: 'now()',
  timestampdiff: 'extract(epoch from time1 - time2)',
  unix_timestamp: 'extract(epoch from time)',
  week: 'extract(week from date)',
  year: 'extract(year from date)',
};

const MESSAGES: readonly Dialect[] = [
  { pattern: /^LIMIT #,# syntax/, hint: 'write LIMIT number OFFSET number' },
  { pattern: /at or near "\["/, hint: 'names are quoted with "double quotes"' },
  { pattern: /^column "(?:getdate|sysdate|curdate)" does not exist/i, hint: 'PostgreSQL has now() and current_date' },
];

/** Patterns of statements that are commands of psql, or that have commands or syntax of other database systems. */
const STATEMENTS: readonly Dialect[] = [
  {
    pattern: /^[ \t\n]*(?:\\d[tvn]?\+?[ \t\n]*$|\\l|show[ \t\n]+(?:tables|databases|schemas)|use[ \t\n])/i,
    hint: 'the tool search_objects lists tables and schemas, list_databases lists the databases',
  },
  {
    pattern: /^[ \t\n]*(?:\\d|desc(?:ribe)?[ \t\n]|show[ \t\n]+(?:create[ \t\n]|columns[ \t\n]|index))/i,
    hint: 'the tool describe shows the columns, keys and definition of a table',
  },
  { pattern: /`[^`]+`/, hint: 'names are quoted with "double quotes"' },
  { pattern: /^[ \t\n]*select[ \t\n]+top[ \t\n]+\d/i, hint: 'write LIMIT number at the end' },
];
