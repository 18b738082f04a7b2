import { McpServer, RequestContext, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

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

const NESTED = {
  type: 'object',
  properties: { list: { $ref: '#/$defs/list' } },
  $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } },
};
const WORD = { type: 'string' };
const NUMBER = { type: 'number' };

@McpServer({ name: 'raw', version: '1.0.0' })
class Raw {
  @Tool({ description: 'Take what a schema allows', inputSchema: SCHEMA })
  take(given: Readonly<Record<string, unknown>>, context: RequestContext): string {
    return JSON.stringify([given, context instanceof RequestContext]);
  }

  @Tool({ description: 'Take lists of lists', inputSchema: NESTED })
  nested(): string {
    return 'taken';
  }

  @Tool({
    description: 'Take words',
    inputSchema: { $id: 'https://example.org/raw', type: 'object', additionalProperties: WORD },
  })
  words(): string {
    return 'taken';
  }

  @Tool({
    description: 'Take numbers',
    inputSchema: { $id: 'https://example.org/raw', type: 'object', additionalProperties: NUMBER },
  })
  numbers(): string {
    return 'taken';
  }
}

describe.each(ERAS)('a tool with a hand-written schema, in the %s era,', (era) => {
  it('lists the schema unchanged', async () => {
    await using session = await connect(new Raw(), { era });
    const { tools } = await session.client.listTools();
    expect(tools[0]?.inputSchema).toEqual(SCHEMA);
  });

  it('receives the arguments that the schema allows', async () => {
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
  ])('rejects %j, and reports the reason', async (given, reason) => {
    await using session = await connect(new Raw(), { era });
    const text = await session.fails('take', given);
    expect(text).toMatch(/^INVALID_ARGUMENTS: take was not run\n/);
    expect(text).toMatch(reason);
  });

  it.each<[attack: string, tool: string, args: string, reason: RegExp]>([
    [
      'nested so deep that the stack overflows',
      'nested',
      `{"list":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      /list.* levels deep/,
    ],
    ['named like a prototype', 'words', '{"word":{"__proto__":""}}', /word\.__proto__: is not allowed as a name/],
    ['with a name of a million letters', 'words', `{"${'k'.repeat(1_000_000)}":1}`, /\/k+…$/],
    ['wrong in a hundred thousand places', 'words', `{${Array.from({ length: 1e5 }, (_, key) => `"${key}":1`).join()}}`, /…$/],
  ])('rejects arguments with a short error if they are %s', async (_, tool, args, reason) => {
    await using session = await connect(new Raw(), { era });
    const text = await session.fails(tool, JSON.parse(args));
    expect(text).toMatch(/^INVALID_ARGUMENTS/);
    expect(text).toMatch(reason);
    expect(text.length).toBeLessThan(20_000);
  });

  it('distinguishes two schemas with the same $id', async () => {
    await using session = await connect(new Raw(), { era });
    expect(await session.text('words', { one: 'one' })).toBe('taken');
    expect(await session.text('numbers', { one: 1 })).toBe('taken');
  });
});
