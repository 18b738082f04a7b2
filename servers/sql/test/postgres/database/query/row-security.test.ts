import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({
  sql: `
    create table accounts (id int, tenant text);
    insert into accounts values (1, 'a'), (2, 'b');
    alter table accounts enable row level security;
    create policy tenants on accounts using (tenant = current_setting('app.tenant', true));
    create table plain (id int);
    grant select on accounts, plain to mcp_ro;
  `,
});

const NOTE = 'row security is active for accounts: policies may hide rows from this role';

describe.each(ERAS)('a result without rows, on a %s connection,', (era) => {
  it.each(['select * from accounts', 'with a as (select * from public.accounts) select * from a join plain on true'])(
    'says that row security may hide rows: %s',
    async (sql) => {
      await using session = await database.connect({}, era);
      expect(await session.text('query', { sql })).toContain(`0 rows\n${NOTE}`);
    },
  );

  it.each(['select * from plain', 'select count(*) from accounts', 'select 1 where false'])(
    'has no such note: %s',
    async (sql) => {
      await using session = await database.connect({}, era);
      expect(await session.text('query', { sql })).not.toContain('row security');
    },
  );

  it('has no such note if the policies of the role show all rows', async () => {
    await using session = await database.connect({ url: database.url('superuser'), allowPrivilegedRole: true }, era);
    expect(await session.text('query', { sql: 'select * from accounts where id > 5' })).not.toContain('row security');
  });
});
