import { describe, expect, it } from 'vitest';

import { codeOf, useDatabase } from '../../fixtures/postgres.ts';
import { NO_TURKISH, startTurkish } from '../../fixtures/servers/installed-postgres.ts';

describe.skipIf(NO_TURKISH)("in a Turkish database on Debian's PostgreSQL 15, encoded in LATIN5,", () => {
  const database = useDatabase({
    start: startTurkish,
    sql: `
      create function "şak"() returns int language sql volatile as 'select 1';
      create sequence sq; create table plain (id int, note text); create table "tä" (id int);
      create function "FÖ2"() returns text language sql volatile as $$select nextval('sq')::text$$;
      create function "fö"() returns text language sql volatile as $$select nextval('sq')::text$$;
      create function told() returns trigger language plpgsql as $$begin perform nextval('sq'); return new; end$$;
      create trigger told before insert on "tä" for each row execute function told();
      create table "İL" ("ADI" text); grant select on "İL" to mcp_ro;`,
  });

  it('PostgreSQL folds the capital letter with a dot to the ASCII letter i', async () => {
    expect(await database.asSuperuser('select PG_TERMİNATE_BACKEND(-1)')).toEqual([['f']]);
  });

  it.each([
    ['a function that ends sessions', 'select PG_TERMİNATE_BACKEND(-1)'],
    ['a function that changes settings', "select SET_CONFİG('a.b', 'c', false)"],
    ['a function with its schema', "select PG_CATALOG.SET_CONFİG('a.b', 'c', false)"],
    ['a table of secrets', 'table PG_AUTHİD'],
    ['a function that reads files', "select * from PG_READ_FİLE('PG_VERSION')"],
    ['a function of a user', 'select ŞAK()'],
  ])('the capital letter with a dot does not hide %s', async (_, sql) => {
    const given = { url: database.url('superuser'), allowPrivilegedRole: true, policy: 'strict' } as const;
    await using session = await database.connect(given);
    expect(await codeOf(session, 'query', { sql })).toBe('POLICY_DENIED');
  });

  it('queries may use names with this letter', async () => {
    await using session = await database.connect({ policy: 'strict' });
    expect(await codeOf(session, 'query', { sql: 'select "ADI" as "İSİM" from "İL"' })).toBe('runs');
  });

  it.each([
    ['a function that is called in capital letters', 'insert into plain values (1, FÖ())'],
    ['a function with capital letters', 'insert into plain values (1, "FÖ2"())'],
    ['the trigger of a table that is named in capital letters', 'insert into TÄ values (1)'],
  ])('a dry run does not run %s', async (_, sql) => {
    const given = { url: database.url('superuser'), allowPrivilegedRole: true, writable: true } as const;
    await using session = await database.connect(given);
    const { structuredContent } = await session.call('execute', { sql, dry_run: true });
    expect(structuredContent).toHaveProperty('not_rehearsed');
    expect(await database.asSuperuser('select is_called from sq')).toEqual([['f']]);
  });
});
