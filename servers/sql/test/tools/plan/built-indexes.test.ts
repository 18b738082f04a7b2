import { describe, expect, it } from 'vitest';

import { ADVICE_CASES, ADVICE_SQL } from '../../fixtures/advice-cases.ts';
import { useDatabase } from '../../fixtures/postgres.ts';

const database = useDatabase({ sql: ADVICE_SQL });

interface Proposal {
  readonly index_sql: string;
  readonly cost_before?: number;
}

/** The proposals for one statement, the proposals that the planner does not use, and whether the expected index is missing. */
interface Outcome {
  readonly title: string;
  readonly proposed: readonly string[];
  readonly unused: readonly string[];
  readonly isMissed: boolean;
}

/** Builds the proposed indexes, plans the statement, and removes the indexes. Returns the indexes that the plan does not use. */
async function buildProposals(
  sql: string,
  proposals: readonly Proposal[],
  params: readonly string[],
): Promise<readonly string[]> {
  const names = proposals.map((_, place) => `advised_${place}`);
  const unused: string[] = [];
  await database.asSuperuser('begin; set local search_path = crm, public');
  try {
    for (const [place, { index_sql }] of proposals.entries())
      await database.asSuperuser(index_sql.replace(/^create index (concurrently )?on/, `create index ${names[place]} on`));
    await database.asSuperuser('analyze crm.events, crm.customers, crm.orders');
    const values = params.reduce((text, value, place) => text.replace(`$${place + 1}`, `'${value}'`), sql);
    const plan = JSON.stringify(await database.asSuperuser(`explain (verbose) ${values}`));
    for (const [place, { index_sql }] of proposals.entries()) {
      const built = await database.asSuperuser(
        `select relname from pg_class where oid = '${names[place]}'::regclass or oid in (select inhrelid from pg_inherits where inhparent = '${names[place]}'::regclass)`,
      );
      if (!built.some(([name]) => plan.includes(` using ${name} `) || plan.includes(` on ${name} `))) unused.push(index_sql);
    }
  } finally {
    await database.asSuperuser('rollback');
  }
  return unused;
}

async function evaluate(): Promise<readonly Outcome[]> {
  await using session = await database.connect({ tools: ['extra'] });
  const outcomes: Outcome[] = [];
  for (const { title, sql, params = [], index } of ADVICE_CASES) {
    const { structuredContent } = await session.call('advise_indexes', { sql, params: [...params] });
    const { proposals } = structuredContent as { proposals: readonly Proposal[] };
    const proposed = proposals.map(({ index_sql }) => index_sql);
    const unused = await buildProposals(sql, proposals, params);
    outcomes.push({ title, proposed, unused, isMissed: !proposed.some((text) => text.includes(index)) });
  }
  return outcomes;
}

describe('the indexes that advise_indexes proposes', () => {
  it('are used by the planner once built, and miss few helpful indexes', { timeout: 240_000 }, async () => {
    const outcomes = await evaluate();
    const proposed = outcomes.flatMap((outcome) => outcome.proposed);
    const unused = outcomes.flatMap((outcome) => outcome.unused);
    const missed = outcomes.filter(({ isMissed }) => isMissed);
    expect(outcomes.length).toBeGreaterThanOrEqual(29);
    expect(unused.length, `${unused.length} of ${proposed.length} are unused: ${unused.join('; ')}`).toBeLessThanOrEqual(
      proposed.length * 0.1,
    );
    expect(missed.length, `missed: ${missed.map(({ title }) => title).join('; ')}`).toBeLessThanOrEqual(outcomes.length * 0.1);
  });
});
