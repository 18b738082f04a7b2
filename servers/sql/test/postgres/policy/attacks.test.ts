import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ATTACKS, attackedWith, FINGERPRINT, ORDINARY, timeoutOf, type Attack } from '../../fixtures/attacks.ts';
import { codeOf, GROUND, useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({ sql: GROUND });
const files = mkdtempSync(path.join(tmpdir(), 'attacks-'));
const sessions: Record<string, Session> = {};
let before: readonly (readonly (string | null)[])[];

beforeAll(async () => {
  const policy = 'strict';
  sessions['superuser'] = await database.connect({ url: database.url('superuser'), allowPrivilegedRole: true, policy });
  sessions['reader'] = await database.connect({ policy });
  before = await database.asSuperuser(FINGERPRINT);
});
afterAll(async () => {
  for (const session of Object.values(sessions)) await session[Symbol.asyncDispose]();
  rmSync(files, { recursive: true });
});

/** Returns the error codes with which an attack may end, and `runs` if the attack may succeed. */
function codesOf({ rule, otherwise = '' }: Attack): readonly string[] {
  if (rule === undefined || rule === 'SYNTAX') return otherwise.split('|');
  if (rule === 'statement' || rule === 'clause') return ['READ_ONLY'];
  return [rule === 'statement-size' ? 'TOO_LARGE' : 'POLICY_DENIED'];
}

describe.each(['superuser', 'reader'])('an attack as %s', (role) => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))('changes nothing by %s', async (_, attack) => {
    const session = sessions[role]!;
    const sql = attackedWith(attack, { files, dsn: database.url('superuser') });
    expect(codesOf(attack)).toContain(await codeOf(session, 'query', { sql, timeout_ms: timeoutOf(attack.otherwise) }));
    expect(await database.asSuperuser(FINGERPRINT)).toEqual(before);
    expect(readdirSync(files)).toEqual([]);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });
});

describe('an attack', () => {
  it.each(ERAS)('does not affect the next call by a setting, on a %s connection', async (era) => {
    await using own = await database.connect({ maxConnections: 1 }, era);
    await own.call('query', { sql: "select set_config('default_transaction_read_only', 'off', false)" });
    expect(await own.text('query', { sql: 'show default_transaction_read_only' })).toContain('\non\n');
    expect(await codeOf(own, 'query', { sql: "insert into audit(who) values ('next') returning 1" })).toBe('READ_ONLY');
    expect(await codeOf(own, 'query', { sql: 'with a as (delete from t returning 1) select * from a' })).toBe('READ_ONLY');
    expect(await database.asSuperuser(FINGERPRINT)).toEqual(before);
  });

  it('has no effect after its call by a lock, a setting, a large object or a search path', async () => {
    await using own = await database.connect({ maxConnections: 1 });
    await own.call('query', { sql: "select pg_advisory_lock(7), set_config('search_path', 'pg_temp', false)" });
    expect(await own.text('query', { sql: 'show search_path' })).toContain('public');
    expect(await database.asSuperuser("select count(*) from pg_locks where locktype = 'advisory'")).toEqual([['0']]);
  });

  it.each([
    ['cursors', "select count(*) from pg_cursors where name <> ''"],
    ['prepared statements', 'select count(*) from pg_prepared_statements'],
    ['channels', 'select count(*) from pg_listening_channels()'],
    ['temporary tables', 'select count(*) from pg_class where relpersistence = $$t$$'],
    ['locks', "select count(*) from pg_locks where locktype in ('advisory', 'relation') and relation > 16384"],
  ])('finds no %s of earlier calls', async (_, sql) => {
    await using own = await database.connect({ maxConnections: 1 });
    for (const attack of ATTACKS.filter(({ sql: text }) =>
      /^(declare|prepare|listen|create temp|lock|fetch|execute) /.test(text),
    ))
      await codeOf(own, 'query', { sql: attack.sql });
    expect(await own.text('query', { sql })).toContain('\n0\n');
  });

  it('is parsed as the policy parses it, even if the role has another string syntax', async () => {
    await database.asSuperuser('alter role mcp_ro set standard_conforming_strings = off');
    await using own = await database.connect({ maxConnections: 1, policy: 'strict' });
    await own.text('query', { sql: 'select 1' });
    await database.asSuperuser('alter role mcp_ro reset standard_conforming_strings');
    expect(await own.text('query', { sql: "select 'a\\' as b, ', pg_sleep(0) --'" })).toContain('a\\,", pg_sleep(0) --"');
  });

  it('writes nothing in a transaction, even as superuser', async () => {
    await using own = await database.connect({ url: database.url('superuser'), allowPrivilegedRole: true });
    for (const sql of ['select vol_write()', 'select * from v_sd', "select setval('s1', 100)", 'truncate t', 'drop table secret'])
      expect(await codeOf(own, 'query', { sql })).toBe('READ_ONLY');
    expect(await database.asSuperuser(FINGERPRINT)).toEqual(before);
  });

  it('is rejected if a statement or a value contains NUL or a lone surrogate', async () => {
    const session = sessions['reader']!;
    for (const sql of ['select 1\0; drop table t', "select '\ud800'"])
      expect(await codeOf(session, 'query', { sql })).toBe('INVALID_ARGUMENTS');
    expect(await codeOf(session, 'query', { sql: 'select $1', params: ['a\0b'] })).toBe('INVALID_ARGUMENTS');
  });
});

describe.each(['superuser', 'reader'])('an ordinary read as %s is admitted:', (role) => {
  it.each(ORDINARY)('%s', async (sql) => {
    await sessions[role]!.call('query', { sql });
  });
});
