import { compileServer, type CompiledTool } from '@org/mcp-decorators';
import { connect, ERAS, surface } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { PostgresServer } from '../src/index.ts';
import { optionsWith } from './postgres.ts';

const TOOLS = [...compileServer(PostgresServer).tools.values()];

function namesOf(set: string): readonly string[] {
  return TOOLS.filter(({ sets }) => sets.includes(set)).map(({ definition }) => definition.name);
}

describe('the surface of the SQL server', () => {
  it('changes only on purpose', () => {
    expect(surface(PostgresServer)).toMatchSnapshot();
  });

  it('has twelve tools where nothing else is asked for', () => {
    expect(namesOf('default')).toHaveLength(12);
  });

  it('has no tool that is in no set', () => {
    const named = ['default', 'read', 'write', 'extra'].flatMap(namesOf);
    expect(TOOLS.map(({ definition }) => definition.name).filter((name) => !named.includes(name))).toEqual([]);
  });

  it('says of all tools of the set read, and of no others, that they change nothing', () => {
    const reading = TOOLS.filter(({ definition }) => definition.annotations?.readOnlyHint === true);
    expect(namesOf('read')).toEqual(reading.map(({ definition }) => definition.name));
    expect(TOOLS.filter(({ sets }) => sets.includes('read') === sets.includes('write'))).toEqual([]);
  });

  it.each(ERAS)('fits into 25,000 bytes of tools/list on a %s connection that may write', async (era) => {
    const standard = namesOf('default');
    const offers = ({ definition }: CompiledTool): boolean => standard.includes(definition.name);
    // Nothing is asked of a database that is not there.
    const server = new PostgresServer(optionsWith({ url: 'postgres://nobody@127.0.0.1:1/none', writable: true }));
    await using session = await connect(server, { era, offers });
    const result = await session.client.listTools();
    expect(result.tools.map(({ name }) => name)).toEqual(standard);
    expect(Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))).toBeLessThan(25_000);
  });
});
