import { describe, expect, it } from 'vitest';

import { CONFIRMS } from '../../fixtures/app.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({ sql: 'create table "a""b" (x int); grant select on "a""b" to mcp_ro' });

const LONGEST = 1000;

/** Each item has a parameter that takes a name, the tool, and a function that creates the arguments with a given name. */
const PLACES: readonly (readonly [place: string, tool: string, args: (name: string) => Readonly<Record<string, unknown>>])[] = [
  ['object', 'describe', (object) => ({ object })],
  ['schema', 'search_objects', (schema) => ({ schema })],
  ['table', 'profile_column', (table) => ({ table, column: 'x' })],
  ['column', 'profile_column', (column) => ({ table: 'x', column })],
  ['table', 'run_maintenance', (table) => ({ action: 'analyze', table })],
  ['table', 'import', (table) => ({ table, columns: ['x'], rows: [['1']] })],
  ['columns', 'import', (column) => ({ table: 'x', columns: [column], rows: [['1']] })],
  ['schema', 'er_diagram', (schema) => ({ schema })],
  ['tables', 'er_diagram', (table) => ({ tables: [table] })],
  ['schema', 'compare_schemas', (schema) => ({ schema, other_schema: 'public' })],
  ['other_schema', 'compare_schemas', (schema) => ({ schema: 'public', other_schema: schema })],
  ['database', 'query', (name) => ({ sql: 'select 1', database: name })],
];

describe('a name of hostile length', () => {
  it(`is rejected as an argument from ${LONGEST + 1} characters on, and accepted with ${LONGEST} characters`, async () => {
    const options = { url: database.url('superuser'), allowPrivilegedRole: true, writable: true, tools: ['all'] };
    await using session = await database.connect(options, undefined, CONFIRMS);
    for (const [place, tool, args] of PLACES) {
      const tooLong = await session.fails(tool, args('"a"'.repeat(LONGEST)));
      expect(tooLong, `${tool} ${place}`).toMatch(/^INVALID_ARGUMENTS/);
      expect(tooLong).toContain(place);
      expect(tooLong).toContain(String(LONGEST));
      const longest = args(`${'"a"'.repeat(45)}x${'"'.repeat(LONGEST - 136)}`);
      const { content } = await session.client.callTool({ name: tool, arguments: { ...longest } });
      expect(JSON.stringify(content), `${tool} ${place}`).not.toContain('INVALID_ARGUMENTS');
    }
  });

  it('is not compared with other names if an error of PostgreSQL repeats it', async () => {
    await using session = await database.connect();
    const name = '""'.repeat(50_000);
    expect(await session.fails('query', { sql: `select "${name}"` })).toMatch(/^UNDEFINED_OBJECT|^SYNTAX/);
  });

  it('gets suggestions if it is short and has quotes', async () => {
    await using session = await database.connect();
    expect(await session.fails('describe', { object: '"a""c"' })).toContain('did you mean "a""b"?');
  });
});
