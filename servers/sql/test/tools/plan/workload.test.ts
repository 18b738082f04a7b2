import { ERAS } from '@org/mcp-testing';
import { beforeAll, describe, expect, it } from 'vitest';

import { ADVICE_SQL } from '../../fixtures/advice-cases.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

const PRELOADED = { shared_preload_libraries: 'pg_stat_statements' };
const STATEMENTS = `${ADVICE_SQL}; create extension pg_stat_statements`;
const EXTRA = { tools: ['extra'] };

interface Advice {
  readonly proposals: readonly { readonly index_sql: string; readonly plan_before?: string }[];
  readonly statements: readonly {
    readonly query: string;
    readonly calls: number;
    readonly cost_before: number;
    readonly cost_after: number;
  }[];
  readonly notes: readonly string[];
}

describe('advise_indexes without sql', () => {
  const database = useDatabase({ settings: PRELOADED, sql: STATEMENTS });

  beforeAll(async () => {
    await using session = await database.connect();
    for (const user of [1, 2, 3])
      await session.call('query', { sql: 'select * from crm.events where user_id = $1', params: [user] });
    await session.call('query', { sql: 'select id from crm.events where user_id = 5 and kind = $1', params: ['kind1'] });
    await session.call('query', { sql: "select * from crm.events where ip = 'x'" });
    await session.call('query', { sql: 'select count(*) from crm.events' });
    await session.call('query', { sql: "select count(*) from crm.events where at > now() - interval '1 day'" });
  });

  it.each(ERAS)('proposes few indexes for the statements of pg_stat_statements, on a %s connection', async (era) => {
    await using session = await database.connect(EXTRA, era);
    const { structuredContent } = await session.call('advise_indexes', { statements: 50 });
    const { proposals, statements, notes } = structuredContent as Advice;
    expect(notes).toEqual([]);
    const sql = proposals.map(({ index_sql }) => index_sql);
    expect(sql).toContain('create index concurrently on crm.events ("ip")');
    // One index serves both statements with user_id.
    expect(sql.filter((text) => text.includes('"user_id"'))).toHaveLength(1);
    const found = statements.find(({ query }) => query.includes('where user_id = $1'));
    expect(found).toMatchObject({ id: expect.stringMatching(/^-?\d+$/), calls: 3, total_ms: expect.any(Number) });
    expect(found?.cost_after).toBeLessThan((found?.cost_before ?? 0) / 10);
    expect(proposals[0]?.plan_before).toBeUndefined();
    expect(await session.text('advise_indexes')).toMatch(
      /cost [\d.]+ -> [\d.]+, calls 3, total [\d.]+ ms, -?\d+: .*user_id = \$1/,
    );
  });

  it('considers only the given number of statements', async () => {
    await using session = await database.connect(EXTRA);
    const { structuredContent } = await session.call('advise_indexes', { statements: 1 });
    expect((structuredContent as Advice).statements.length).toBeLessThanOrEqual(1);
    expect(await session.fails('advise_indexes', { statements: 101 })).toMatch(/^INVALID_ARGUMENTS/);
  });

  it('names statements that cannot be planned', async () => {
    await database.asSuperuser(
      "select pg_stat_statements_reset(); set role mcp_ro; select extract(year from at) from crm.events where ip = 'y'; reset role",
    );
    await using session = await database.connect(EXTRA);
    const { structuredContent } = await session.call('advise_indexes');
    const { notes } = structuredContent as Advice;
    expect(notes).toEqual([expect.stringMatching(/^statement -?\d+ is not considered: /)]);
  });

  it('rejects values without a statement', async () => {
    await using session = await database.connect(EXTRA);
    expect(await session.fails('advise_indexes', { params: [1] })).toBe(
      'INVALID_ARGUMENTS: params needs sql: the statements of the workload have no values',
    );
  });
});

describe('advise_indexes without sql and without pg_stat_statements', () => {
  const database = useDatabase({});

  it('reports the missing extension', async () => {
    await using session = await database.connect(EXTRA);
    expect(await session.fails('advise_indexes')).toBe(
      'UNSUPPORTED_ENGINE: the extension pg_stat_statements is not installed in this database\npass sql to get advice for one statement',
    );
  });
});
