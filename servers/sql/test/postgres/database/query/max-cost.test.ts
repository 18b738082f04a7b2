import type { Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { PostgresOptions } from '../../../../src/index.ts';
import { codeOf, useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({ sample: true, sql: 'analyze' });

const CHEAP = 'select count(*) from customers where id = 1';
const DEAR = 'select count(*) from orders a, orders b';
const ALL = 'select * from orders a cross join orders b';

describe.each<Partial<PostgresOptions>>([{ policy: 'strict' }, { policy: 'off' }])('a cost limit, with %o,', (given) => {
  let session: Session;
  beforeAll(async () => {
    session = await database.connect({ ...given, maxCost: 100_000 });
  });
  afterAll(() => session[Symbol.asyncDispose]());

  it.each<readonly [tool: string, args: Readonly<Record<string, unknown>>, code: string]>([
    ['query', { sql: CHEAP }, 'runs'],
    ['query', { sql: DEAR }, 'POLICY_DENIED'],
    ['query', { sql: `/* ä */ ${CHEAP} ; -- done` }, 'runs'],
    ['query', { sql: `/* ä */ ${DEAR} ; -- done` }, 'POLICY_DENIED'],
    ['query', { sql: ALL, max_rows: 10 }, 'runs'],
    ['query', { sql: ALL, max_rows: 10, keep: true }, 'POLICY_DENIED'],
    ['query', { sql: 'select * from orders where id < $1', params: ['5'] }, 'runs'],
    ['query', { sql: `explain ${DEAR}` }, 'runs'],
    ['query', { sql: `explain (analyze false) ${DEAR}` }, 'POLICY_DENIED'],
    ['query', { sql: `explain (U&"\\0061nalyze") ${DEAR}` }, 'POLICY_DENIED'],
    ['query', { sql: 'show work_mem' }, 'runs'],
    ['query', { sql: 'select * from nowhere' }, 'UNDEFINED_OBJECT'],
    ['query', { sql: '' }, 'READ_ONLY'],
    ['query', { sql: 'drop table orders' }, 'READ_ONLY'],
    ['export', { sql: ALL }, 'POLICY_DENIED'],
    ['export', { sql: CHEAP }, 'runs'],
    ['explain', { sql: DEAR }, 'runs'],
    ['explain', { sql: DEAR, analyze: true }, 'POLICY_DENIED'],
    ['explain', { sql: CHEAP, analyze: true }, 'runs'],
    ['explain', { sql: 'select * from orders where id = $1', generic_plan: true }, 'runs'],
  ])('has the expected outcome for %s %j: %s', async (tool, args, code) => {
    expect(await codeOf(session, tool, args)).toBe(code);
  });

  it('does not change the positions of errors', async () => {
    expect(await session.fails('query', { sql: '-- ä\nselect nothing from orders' })).toContain('line 2, column 8');
    expect(await session.fails('query', { sql: DEAR })).toMatch(
      /the planner expects the statement to cost [\d.]+, more than 100000/,
    );
  });
});
