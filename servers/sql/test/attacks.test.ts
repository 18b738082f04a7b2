import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { codeOf, fixture, GROUND, useDatabase } from './postgres.ts';

interface Attack {
  readonly name: string;
  readonly sql: string;
  /** The codes it may end with. */
  readonly outcome: string;
}

const ATTACKS: readonly Attack[] = JSON.parse(fixture('attacks.json'));
const ORDINARY: readonly string[] = JSON.parse(fixture('ordinary.json'));

/** Changes with everything that an attack could have changed. */
const FINGERPRINT = `
  select (select md5(coalesce(string_agg(t::text, ',' order by id), '')) from t), (select count(*) from audit),
    (select last_value from s1), (select count(*) from pg_class), (select count(*) from pg_largeobject),
    (select count(*) from pg_roles), (select count(*) from pg_extension), (select count(*) from pg_description),
    (select string_agg(relacl::text, ',' order by oid) from pg_class where relnamespace = 'public'::regnamespace),
    (select count(*) from pg_replication_slots), (select count(*) from pg_proc)`;

const database = useDatabase({ sql: GROUND });
const files = mkdtempSync(path.join(tmpdir(), 'attacks-'));
let session: Session;
let before: readonly (readonly (string | null)[])[];

beforeAll(async () => {
  session = await database.connect();
  before = await database.asSuperuser(FINGERPRINT);
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  rmSync(files, { recursive: true });
});

describe('an attack', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))('by %s changes nothing', async (_, { sql, outcome }) => {
    const [host] = await database.asSuperuser('show unix_socket_directories');
    const dsn = `host=${host?.[0]} dbname=postgres`;
    const statement = sql.replaceAll('{tmp}', files).replaceAll('{dsn}', dsn);
    expect(outcome.split('|')).toContain(await codeOf(session, 'query', { sql: statement, timeout_ms: 1000 }));
    expect(await database.asSuperuser(FINGERPRINT)).toEqual(before);
    expect(readdirSync(files)).toEqual([]);
    expect(await session.text('query', { sql: 'select 42' })).toContain('42');
  });

  it.each(ERAS)('by a setting of one call does not reach the next, on a %s connection', async (era) => {
    await using own = await database.connect({ maxConnections: 1 }, era);
    await own.call('query', { sql: "select set_config('default_transaction_read_only', 'off', false)" });
    expect(await own.text('query', { sql: 'show default_transaction_read_only' })).toContain('\non\n');
    expect(await codeOf(own, 'query', { sql: "insert into audit(who) values ('next') returning 1" })).toBe('READ_ONLY');
    expect(await codeOf(own, 'query', { sql: 'with a as (delete from t returning 1) select * from a' })).toBe('READ_ONLY');
    expect(await database.asSuperuser(FINGERPRINT)).toEqual(before);
  });

  it('by a lock, a setting or a search path is over with its call', async () => {
    await using own = await database.connect({ maxConnections: 1 });
    await own.call('query', { sql: "select pg_advisory_lock(7), set_config('search_path', 'pg_temp', false)" });
    expect(await own.text('query', { sql: 'show search_path' })).toContain('public');
    expect(await database.asSuperuser("select count(*) from pg_locks where locktype = 'advisory'")).toEqual([['0']]);
  });

  it('as superuser, were it let in, still writes nothing in a transaction', async () => {
    await using own = await database.connect({ url: database.url('superuser'), allowPrivilegedRole: true });
    for (const sql of ['select vol_write()', 'select * from v_sd', "select setval('s1', 100)", 'truncate t', 'drop table secret'])
      expect(await codeOf(own, 'query', { sql })).toBe('READ_ONLY');
    expect(await database.asSuperuser(FINGERPRINT)).toEqual(before);
  });

  it('by NUL in a statement or a value is refused', async () => {
    expect(await codeOf(session, 'query', { sql: 'select 1\0; drop table t' })).toBe('INVALID_ARGUMENTS');
    expect(await codeOf(session, 'query', { sql: 'select $1', params: ['a\0b'] })).toBe('INVALID_ARGUMENTS');
  });
});

describe('an ordinary read is not refused:', () => {
  it.each(ORDINARY)('%s', async (sql) => {
    await session.call('query', { sql });
  });
});
