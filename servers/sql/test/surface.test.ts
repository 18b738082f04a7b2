import { compileServer } from '@org/mcp-decorators';
import { connect, ERAS, surface } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { PostgresServer } from '../src/index.ts';
import { optionsWith } from './fixtures/postgres.ts';

const TOOLS = [...compileServer(PostgresServer).tools.values()];

function namesOf(set: string): readonly string[] {
  return TOOLS.filter(({ sets }) => sets.includes(set)).map(({ definition }) => definition.name);
}

describe('the surface of the SQL server', () => {
  it('matches the snapshot', () => {
    expect(surface(PostgresServer)).toMatchSnapshot();
  });

  it('offers twelve tools by default', () => {
    expect(namesOf('default')).toHaveLength(12);
  });

  it('assigns each tool to a set', () => {
    const named = ['default', 'read', 'write', 'extra'].flatMap(namesOf);
    expect(TOOLS.map(({ definition }) => definition.name).filter((name) => !named.includes(name))).toEqual([]);
  });

  it('marks exactly the tools of the set read as read-only', () => {
    const reading = TOOLS.filter(({ definition }) => definition.annotations?.readOnlyHint === true);
    expect(namesOf('read')).toEqual(reading.map(({ definition }) => definition.name));
    expect(TOOLS.filter(({ sets }) => sets.includes('read') === sets.includes('write'))).toEqual([]);
  });

  it.each(ERAS)('lists the default tools in at most 22,000 bytes on a %s connection that may write', async (era) => {
    const standard = namesOf('default');
    // The list does not depend on the database, so the URL needs no server.
    const server = new PostgresServer(optionsWith({ url: 'postgres://nobody@127.0.0.1:1/none', writable: true }));
    await using session = await connect(server, { era });
    const result = await session.client.listTools();
    expect(result.tools.map(({ name }) => name)).toEqual(standard);
    expect(Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))).toBeLessThanOrEqual(22_000);
  });
});
