import { existsSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { ADVICE_CASES, ADVICE_SQL, USELESS } from '../../fixtures/advice-cases.ts';
import { useDatabase } from '../../fixtures/postgres.ts';
import { startDebians } from '../../fixtures/servers/installed-postgres.ts';

const EXTENSION = '/usr/share/postgresql/15/extension/hypopg.control';
const EXTRA = { tools: ['extra'] };

interface Proposal {
  readonly index_sql: string;
  readonly cost_before?: number;
  readonly cost_after?: number;
  readonly plan_after?: string;
}

describe.skipIf(!existsSync(EXTENSION))('advise_indexes with the extension hypopg', () => {
  const database = useDatabase({ start: startDebians, sql: `${ADVICE_SQL}; create extension hypopg` });

  const advise = async (sql: string, params: readonly string[] = []): Promise<readonly Proposal[]> => {
    await using session = await database.connect(EXTRA);
    const { structuredContent } = await session.call('advise_indexes', { sql, params: [...params] });
    return (structuredContent as { proposals: readonly Proposal[] }).proposals;
  };

  it('costs an index of a type that no model has', async () => {
    const [proposal] = await advise('select * from crm.places where place = $1', ['5']);
    expect(proposal?.index_sql).toBe('create index concurrently on crm.places ("place")');
    expect(proposal?.cost_after).toBeLessThan(proposal?.cost_before ?? 0);
    expect(proposal?.plan_after).toContain('proposal 1');
  });

  it('proposes as many of the helpful indexes as without hypopg', { timeout: 120_000 }, async () => {
    const missed: string[] = [];
    for (const { title, sql, params, index } of ADVICE_CASES) {
      const proposals = await advise(sql, params);
      if (!proposals.some(({ index_sql }) => index_sql.includes(index))) missed.push(title);
    }
    expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(ADVICE_CASES.length * 0.1);
  });

  it.each(USELESS)('proposes no index for %s', async (sql) => {
    expect(await advise(sql)).toEqual([]);
  });

  it('leaves no hypothetical index in the session of a later call', async () => {
    await advise("select * from crm.events where ip = 'x'");
    await using session = await database.connect();
    for (let call = 0; call < 5; call++)
      expect(await session.text('explain', { sql: "select * from crm.events where ip = 'x'" })).not.toContain('btree_crm_events');
  });
});
