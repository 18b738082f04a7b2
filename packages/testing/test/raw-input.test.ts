import { McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { connect, ERAS } from '../src/index.ts';

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  if: { required: ['name'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['address'] },
  additionalProperties: false,
};

@McpServer({ name: 'raw', version: '1.0.0' })
class Raw {
  @Tool({ description: 'Take what a schema allows', inputSchema: SCHEMA })
  take(given: Readonly<Record<string, unknown>>, context: RequestContext): string {
    return JSON.stringify([given, context instanceof RequestContext]);
  }
}

describe.each(ERAS)('a tool with a schema written by hand, in the %s era,', (era) => {
  it('shows it word for word', async () => {
    await using session = await connect(new Raw(), { era });
    const { tools } = await session.client.listTools();
    expect(tools[0]?.inputSchema).toEqual(SCHEMA);
  });

  it('gets the arguments that it allows', async () => {
    await using session = await connect(new Raw(), { era });
    const given = { name: 'Ada', address: { city: 'London' } };
    expect(JSON.parse(await session.text('take', given))).toEqual([given, true]);
    expect(JSON.parse(await session.text('take'))).toEqual([{}, true]);
  });

  it.each([
    [{ name: 'Ada' }, /required property 'address'/],
    [{ name: 1, address: { city: 'London' } }, /name must be string/],
    [{ address: {} }, /required property 'city'/],
    [{ other: 1 }, /must NOT have additional properties/],
  ])('refuses %j, and says why', async (given, reason) => {
    await using session = await connect(new Raw(), { era });
    const text = await session.fails('take', given);
    expect(text).toMatch(/^INVALID_ARGUMENTS: take was not run\n/);
    expect(text).toMatch(reason);
  });
});
