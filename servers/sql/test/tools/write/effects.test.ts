import type { Session, SessionOptions } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { failureOf } from '../../fixtures/failure-of.ts';
import { effectiveStatements } from '../../fixtures/effective-statements.ts';
import { useWitnessed } from '../../fixtures/effects-witness.ts';

const database = useWitnessed();

/** A statement with an effect that a rollback does not undo, and the reason that the dry run reports. */
type Reproduction = readonly [name: string, sql: string, because: RegExp];

const REPRODUCTIONS: readonly Reproduction[] = [
  ['sets a sequence', "insert into plain values (1001, setval('sq', 999999)::text)", /setval/],
  ['draws from a sequence', "update plain set note = nextval('sq')::text", /nextval/],
  ['draws from a sequence in a CTE', "with n as materialized (select nextval('sq') n) delete from plain using n", /nextval/],
  ['draws the default of a serial column', "insert into serial (note) values ('x')", /nextval.*column id of serial/],
  ['draws a DEFAULT that is written out', "insert into serial values (default, 'x')", /nextval.*column id of serial/],
  ['draws the number of an identity column', "insert into numbered (note) values ('x')", /sequence of column id of numbered/],
  ['draws a number in spite of a value', "insert into numbered overriding user value values (1, 'x')", /column id of numbered/],
  ['draws the default of a column by UPDATE', 'update serial set id = default', /nextval/],
  ['calls a volatile function', 'insert into plain values (1002, mark())', /mark\(\)/],
  ['calls a function that lies about being stable', 'update plain set note = mark_stable()', /mark_stable/],
  ['calls a function that lies about being immutable', 'update plain set note = mark_immutable()', /mark_immutable/],
  ['calls a function in attribute notation', 'update plain set note = plain.mark_row', /mark_row/],
  ['calls a function of a row in parentheses', 'update plain set note = (plain).mark_row', /mark_row/],
  ['calls a function in FROM', 'insert into plain select * from mark_set()', /mark_set/],
  ['calls a function in RETURNING', 'delete from plain returning mark()', /mark\(\)/],
  ['calls a function in ORDER BY', 'select id from plain order by mark()', /mark\(\)/],
  [
    'calls a function in MERGE',
    'merge into plain p using (values (1)) v (id) on p.id = v.id when matched and mark() = 1 then delete',
    /mark\(\)/,
  ],
  [
    'calls a function in ON CONFLICT',
    "insert into plain values (1, 'x') on conflict (id) do update set note = mark()",
    /mark\(\)/,
  ],
  [
    'calls a function in a CTE that writes',
    'with d as (delete from plain where mark() = 1 returning 1) select * from d',
    /mark\(\)/,
  ],
  ['calls an aggregate', 'update plain set note = (select mark_sum(id) from parents)', /mark_state/],
  ['uses an operator', 'delete from plain where id === 1', /mark_two/],
  ['uses an operator by its schema', 'delete from plain where id operator(app.===) 1', /mark_two/],
  ['casts', "update plain set note = '(1,2)'::pair::text", /mark_pair/],
  ['casts in the notation of a function', "update plain set note = text('(1,2)'::pair)", /mark_pair/],
  ['casts to a domain', "update plain set note = '1'::marked", /mark_immutable/],
  ['casts to a domain in the notation of a function', "update plain set note = marked('1')", /mark_immutable/],
  ['casts to an array of a domain', "update plain set note = '{1}'::marked[]", /mark_immutable/],
  ['casts to a type with a domain in it', "update plain set note = '(1)'::marked_pair", /mark_immutable/],
  ['makes a row of JSON', `update plain set note = jsonb_populate_record(null::marked_pair, '{"a": 1}')`, /mark_immutable/],
  ['names a domain in a text', "update plain set note = pg_input_is_valid('1', 'app.marked')", /pg_input_is_valid/],
  ['names a domain by its number', "update plain set note = domain_in('1'::cstring, 'app.marked'::regtype, -1)", /domain_in/],
  ['takes a domain as parameter', 'update plain set note = $1::marked', /mark_immutable/],
  ['runs a text as SQL', "update plain set note = query_to_xml('select mark()', true, true, '')", /query_to_xml/],
  [
    'runs a text as SQL on another connection',
    "update plain set note = dblink_exec('dbname=elsewhere', 'select 1')",
    /dblink_exec/,
  ],
  ['has a default that is a function', 'insert into defaulted (id) values (1)', /column hit of defaulted/],
  ['has a check that is a function', 'insert into checked values (1)', /constraint checked_id_check of checked/],
  ['generates a column by a function', 'insert into generated values (1)', /column hit of generated/],
  ['indexes by a function', 'insert into indexed values (1)', /index indexed_mark_immutable_idx/],
  ['has an index for which a function decides', 'insert into partly values (1)', /index partly_id_idx/],
  ['has a column of a domain', 'insert into domained values (1)', /domain marked/],
  ['has a row policy that is a function', 'update guarded set id = 2', /policy marked of guarded/],
  ['reads through a row policy', 'insert into plain select id, null from guarded', /policy marked of guarded/],
  ['is partitioned by a function', 'insert into keyed values (1)', /partition key of keyed/],
  [
    'inserts into a partition of a table that is partitioned by a function',
    'insert into only_keyed_1 values (1)',
    /partition key of only_keyed/,
  ],
  ['inserts into a partition of a partition', 'insert into keyed_2_1 values (11)', /partition key of keyed/],
  ['calls a function whose name has a capital letter outside ASCII', 'update plain set note = "Ä"()', /"Ä"\(\)/],
  ['calls such a function without quotes', 'update plain set note = Ä()', /"Ä"\(\)/],
  ['casts to a domain whose name has such a letter', `update plain set note = '1'::"Ärger"`, /Ärger/],
  ['names a table whose name only the encoding decides', 'insert into TÄÖ values (1)', /names the relation "tÄÖ"/],
  ['uses an operator of the type of a column', 'delete from lonely where value = value', /alone_equal/],
  ['uses an operator of the type of a function', 'delete from plain where make_alone() = make_alone()', /alone_equal/],
  ['uses an operator of an unknown type', "delete from plain where '(1,2)' ==== '(1,2)'", /alone_equal/],
  ['fires a trigger', 'insert into triggered values (1)', /trigger marked of triggered/],
  ['fires a trigger of the statement', 'update stated set id = 1', /trigger marked of stated/],
  ['fires a deferred trigger', 'insert into deferred values (1)', /trigger marked of deferred/],
  ['fires a trigger of a partition', 'insert into parts values (11)', /trigger marked of parts_2/],
  ['moves a row to a partition with a trigger', 'update parts set id = 11 where id = 1', /trigger marked of parts_2/],
  ['fires a trigger of a child', 'delete from above', /trigger marked of below/],
  ['fires a trigger of a table with a foreign key', 'delete from parents where id = 1', /trigger marked of children/],
  ['sets a foreign key to its default', 'update parents set id = 9 where id = 1', /column parent of children/],
  ['fires a trigger behind a view', 'delete from over_triggered', /trigger marked of triggered/],
  ['fires a trigger instead', 'update instead set id = 3', /trigger marked of instead/],
  ['applies a rule', 'insert into ruled values (1)', /rule marked of ruled/],
  ['writes through a view with a function', 'update viewed set id = 3', /mark\(\).*view viewed/],
  ['reads a view with a function', 'insert into plain select 3, note from viewed', /mark\(\).*view viewed/],
  ['reads a view with a domain in a row of JSON', 'insert into plain select 3, null from recorded', /domain marked/],
  ['reads a view with a domain in a value of JSON', 'insert into plain select 3, null from returned', /domain marked/],
  ['takes an advisory lock of the session', 'update plain set note = pg_advisory_lock(42)::text', /pg_advisory_lock/],
  ['reads a program as a foreign table', 'insert into plain select 3, line from program', /foreign table program/],
];

const AS_SUPERUSER: readonly Reproduction[] = [
  ['writes a file', "update app.plain set note = lo_export(lo_from_bytea(0, 'x'), '{dir}/x')", /lo_export/],
  ['reads a file', "update app.plain set note = pg_read_file('PG_VERSION')", /pg_read_file/],
  [
    'reads secrets',
    'update app.plain set note = (select rolpassword from pg_authid limit 1)',
    /pg_authid, which contains secrets/,
  ],
  ['writes a catalog', "update pg_description set description = 'x'", /system catalog pg_description/],
  ['signals a session', 'update app.plain set note = pg_terminate_backend(pg_backend_pid())', /pg_terminate_backend/],
];

/** Each item has a title, session options and arguments with which a call confirms nothing, and the error code of the call. */
const UNCONFIRMED: readonly (readonly [name: string, options: SessionOptions, args: object, code: string])[] = [
  ['is only asked for', {}, {}, 'CONFIRMATION_REQUIRED'],
  ['has an invalid token', {}, { confirm_token: 'x' }, 'INVALID_ARGUMENTS'],
  ['is declined', { answers: { elicitation: 'decline' } }, {}, 'DECLINED'],
  ['is declined, on a legacy connection', { era: 'legacy', answers: { elicitation: 'decline' } }, {}, 'DECLINED'],
  ['is cancelled', { answers: { elicitation: 'cancel' } }, {}, 'DECLINED'],
  ['is not agreed to', { answers: { elicitation: { confirm: false } } }, {}, 'DECLINED'],
];

/** Number of items of `UNCONFIRMED` with which each statement is tested. Consecutive statements begin with different items. */
const WAYS = Number(process.env['MCP_TEST_WAYS'] ?? 1);

describe.each([
  ['app', REPRODUCTIONS],
  ['superuser', AS_SUPERUSER],
] as const)('as %s, an unconfirmed write', (role, reproductions) => {
  const sessions: Session[] = [];
  beforeAll(async () => {
    for (const [, options] of UNCONFIRMED) sessions.push(await database.writing(role, options));
  });
  afterAll(async () => {
    for (const session of sessions) await session[Symbol.asyncDispose]();
  });

  it.each(reproductions.map((reproduction, turn) => [...reproduction, turn] as const))(
    'has no effect if it %s',
    async (_, text, because, turn) => {
      const sql = database.inDirectory(text);
      const call = { sql, ...(sql.includes('$1') && { params: ['1'] }) };
      const before = await database.effects();
      const { structuredContent } = await sessions[0]!.call('execute', { ...call, dry_run: true });
      expect(await database.effects()).toEqual(before);
      expect(structuredContent).toMatchObject({ committed: false, confirm_token: expect.any(String) });
      expect(structuredContent).not.toHaveProperty('affected');
      expect(JSON.stringify(structuredContent)).not.toContain('row: ');
      expect(structuredContent).toHaveProperty('not_rehearsed', expect.arrayContaining([expect.stringMatching(because)]));
      for (let way = 0; way < WAYS; way += 1) {
        const index = (turn + way) % UNCONFIRMED.length;
        const [name, , args, code] = UNCONFIRMED[index]!;
        const failed = await failureOf(sessions[index]!, 'execute', { ...call, ...args });
        expect({ name, code: failed.code, effects: await database.effects() }).toEqual({ name, code, effects: before });
      }
    },
  );
});

describe('code and utility statements', () => {
  it.each([
    ['a DO block', "do $$ begin perform app.mark(); perform setval('app.sq', 9); end $$", /neither examined nor run/],
    ['a procedure', 'call mark_all()', /neither examined nor run/],
    ['a notification', "notify marked, 'x'", /"committed":false/],
    ['the creation of a table from a function', 'create table made as select mark()', /"committed":false/],
    ['an index of a function', 'create index on plain (mark_immutable(id))', /"committed":false/],
    ['the analysis of an index of a function', 'analyze indexed', /"committed":false/],
    ['the refreshing of a view', 'refresh materialized view kept', /"committed":false/],
  ])('have no effect before the confirmation: %s', async (_, sql, warning) => {
    await using session = await database.writing('app');
    const before = await database.effects();
    const { structuredContent } = await session.call('execute', { sql, dry_run: true });
    expect(JSON.stringify(structuredContent)).toMatch(warning);
    expect(await session.fails('execute', { sql })).toMatch(/^CONFIRMATION_REQUIRED/);
    expect(await database.effects()).toEqual(before);
  });
});

describe('run_maintenance', () => {
  it.each(['analyze', 'vacuum', 'reindex'])('has no effect before the confirmation: %s', async (action) => {
    await using session = await database.writing('app');
    const before = await database.effects();
    await session.call('run_maintenance', { action, table: 'indexed', dry_run: true });
    expect(await session.fails('run_maintenance', { action, table: 'indexed' })).toMatch(/^CONFIRMATION_REQUIRED/);
    expect(await database.effects()).toEqual(before);
  });
});

describe('import', () => {
  it.each([
    ['fires a trigger', 'triggered', ['id'], /trigger marked of triggered/],
    ['draws from a sequence', 'serial', ['note'], /nextval.*column id of serial/],
    ['draws an identity', 'numbered', ['note'], /sequence of column id of numbered/],
    ['has a default that is a function', 'defaulted', ['id'], /column hit of defaulted/],
    ['has a column of a domain', 'domained', ['id'], /domain marked/],
  ] as const)('has no effect before the confirmation if it %s', async (_, table, columns, because) => {
    await using session = await database.writing('app');
    await using declining = await database.writing('app', { answers: { elicitation: 'decline' } });
    const call = { table, columns, rows: [['1'], ['2']] };
    const before = await database.effects();
    const { structuredContent } = await session.call('import', { ...call, dry_run: true });
    expect(structuredContent).toMatchObject({ rows: 2, not_rehearsed: [expect.stringMatching(because)] });
    expect(await session.fails('import', call)).toMatch(/^CONFIRMATION_REQUIRED/);
    expect(await declining.fails('import', call)).toMatch(/^DECLINED/);
    expect(await database.effects()).toEqual(before);
  });
});

describe('any statement with an expression that has an effect', () => {
  const statements = effectiveStatements(
    Number(process.env['MCP_TEST_EFFECTS'] ?? 25),
    Number(process.env['MCP_TEST_SEED'] ?? 1),
  );

  it('has no effect before the confirmation, at any position of the expression', async () => {
    await using session = await database.writing('app');
    const before = await database.effects();
    for (const sql of statements) {
      const { structuredContent } = await session.call('execute', { sql, dry_run: true });
      expect({ sql, reasons: Object(structuredContent).not_rehearsed }).toEqual({ sql, reasons: expect.any(Array) });
    }
    expect(await database.effects()).toEqual(before);
  }, 600_000);
});
