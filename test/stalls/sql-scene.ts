import type { Session } from '@org/mcp-testing';

import { hostileData } from './hostile-texts.ts';
import { call, type Request } from './stalls.ts';

/** Number of columns with hostile names. */
const COLUMNS = 20;

/** Number of levels of a nested statement. PostgreSQL's parser rejects most statements that are nested about twice as deeply. */
const NESTING = 1500;

/** Pairs of SQL texts that stand before and after each level of a nested statement. */
const NESTED: readonly (readonly [before: string, after: string])[] = [
  ['repeat(', ',1)'],
  ["format('%s',", ')'],
  ['upper(', ')'],
  ['1^(', ')'],
  ['power(1,', ')'],
  ['1*(', ')'],
  ['(', ')::numeric'],
  ['array[', ']'],
  ['case when true then ', ' end'],
  ['(select ', ')'],
  ['(select * from (select ', ' as x) q)'],
  ['(with q as (select ', ' as x) select x from q)'],
];

const ALL = ['columns', 'constraints', 'indexes', 'triggers', 'policies', 'stats', 'size', 'dependents', 'sample', 'ddl'];

/** Creates tables whose comments, rows and names of columns are hostile. Returns calls that read the tables. */
export async function sqlScene(session: Session): Promise<readonly Request[]> {
  const texts = hostileData().filter(([unit]) => !unit.includes('\0'));
  const requests: Request[] = [];
  for (const [index, [, text]] of texts.entries()) {
    const table = `hostile_${index}`;
    await session.call('execute', { sql: `create table ${table} (id int primary key, note text)` });
    await session.call('execute', { sql: `insert into ${table} values (1, $1)`, params: [`a${text}b`] });
    // The result may be an error, because comments that are long sequences of operators are rejected.
    await session.client.callTool({
      name: 'execute',
      arguments: { sql: `comment on table ${table} is '${text.replaceAll("'", "''")}'` },
    });
    requests.push(
      call('describe', { object: table, include: ALL }),
      call('describe', { object: table }),
      ...['csv', 'json', 'markdown', 'tsv'].map((format) =>
        call('query', { sql: `select * from ${table}`, format, structured: true }),
      ),
      call('profile_column', { table, column: 'note' }),
      call('export', { sql: `select * from ${table}`, format: 'csv' }),
      call('er_diagram', { tables: [table] }),
      call('generate_types', { tables: [table] }),
      call('search_objects', { pattern: table, detail: 'full' }),
    );
  }
  const names = texts.map(([unit]) => unit.repeat(60).slice(0, 60).replaceAll('"', '""'));
  const columns = names.slice(0, COLUMNS).map((name, index) => `"${index}${name.slice(0, 50).replaceAll(/"+$/g, '')}" int`);
  await session.client.callTool({ name: 'execute', arguments: { sql: `create table columns (${columns.join(', ')})` } });
  return [
    ...requests,
    ...['search_objects', 'er_diagram', 'generate_types', 'activity', 'health', 'top_queries'].map((name) => call(name, {})),
    call('compare_schemas', { schema: 'public', other_schema: 'shop' }),
    call('describe', { object: 'columns', include: ALL }),
    call('describe', { object: 'public' }),
    ...NESTED.map(([before, after]) =>
      call('query', { sql: `select ${before.repeat(NESTING)}1${after.repeat(NESTING)}`, timeout_ms: 500 }),
    ),
  ];
}
