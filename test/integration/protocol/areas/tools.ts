import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { listOf, textOf } from '../client/reading.ts';

/** Arguments of `square` that do not fit. */
const WRONG: readonly (readonly [string, unknown])[] = [
  ['of a wrong type', { side: 'five' }],
  ['out of range', { side: 1001 }],
  ['missing', {}],
  ['unknown', { side: 5, size: 5 }],
];

const MALFORMED: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['without a name', {}],
  ['with a number for a name', { name: 5 }],
  ['with a list of arguments', { name: 'echo', arguments: ['hello'] }],
  ['with a string of arguments', { name: 'echo', arguments: 'hello' }],
];

export const tools: Area = (test) => {
  test('declares the tools capability', ['tools.capability'], async ({ client }) => {
    const { capabilities } = client.handshake ?? (await client.result('server/discover'));
    expect(capabilities).toMatchObject({ tools: { listChanged: true } });
  });

  test('lists each tool with its name and an object schema', ['tools.list', 'tools.input-schema'], async ({ client }) => {
    const listed = await listOf(client, 'tools/list');
    expect(listed.length).toBeGreaterThan(20);
    for (const { name, inputSchema } of listed) {
      expect(name).toEqual(expect.any(String));
      expect(inputSchema).toMatchObject({ type: 'object' });
    }
  });

  test('lists the tools in the same order each time', ['tools.list-order'], async ({ client }) => {
    const names = async (): Promise<readonly unknown[]> => (await listOf(client, 'tools/list')).map(({ name }) => name);
    expect(await names()).toEqual(await names());
  });

  test('lists each tool name once, with allowed characters only', ['tools.names'], async ({ client }) => {
    const names = (await listOf(client, 'tools/list')).map(({ name }) => name ?? '');
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
  });

  test('describes arguments, and the absence of arguments', ['tools.input-schema', 'tools.no-arguments'], async ({ client }) => {
    const schemas = Object.fromEntries((await listOf(client, 'tools/list')).map(({ name, inputSchema }) => [name, inputSchema]));
    expect(schemas.echo).toMatchObject({ properties: { text: { type: 'string' } }, required: ['text'] });
    expect(schemas.image).toMatchObject({ type: 'object', additionalProperties: false });
  });

  test('lists a hand-written schema unchanged', ['tools.input-schema-verbatim'], async ({ client }) => {
    const raw = (await listOf(client, 'tools/list')).find(({ name }) => name === 'raw');
    expect(raw?.inputSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { point: { $anchor: 'point' } },
      dependentRequired: { to: ['from'] },
    });
  });

  test('includes the annotations of tools', ['tools.annotations'], async ({ client }) => {
    const echo = (await listOf(client, 'tools/list')).find(({ name }) => name === 'echo');
    expect(echo).toMatchObject({ description: 'Says it again', annotations: { readOnlyHint: true, openWorldHint: false } });
  });

  test('includes the titles of tools', ['tools.title'], async ({ client }) => {
    expect(await listOf(client, 'tools/list')).toContainEqual(expect.objectContaining({ name: 'echo', title: 'Echo' }));
  });

  test('includes the icons of tools', ['tools.icons'], async ({ client }) => {
    const image = (await listOf(client, 'tools/list')).find(({ name }) => name === 'image');
    expect(image).toMatchObject({ icons: [{ src: 'data:image/png;base64,AAAA', mimeType: 'image/png', sizes: ['1x1'] }] });
  });

  test('returns the result of a call', ['tools.call', 'tools.text'], async ({ client }) => {
    const { content, isError = false } = await client.call('echo', { text: 'hello' });
    expect({ content, isError }).toEqual({ content: [{ type: 'text', text: 'hello' }], isError: false });
  });

  test('accepts a call without arguments', ['tools.call-without-arguments'], async ({ client }) => {
    expect((await client.result('tools/call', { name: 'image' })).content).toHaveLength(1);
  });

  for (const name of ['nothing', '', 'ECHO', '__proto__', 'constructor', 'x'.repeat(5000)])
    test(`rejects the unknown tool "${name.slice(0, 20)}"`, ['tools.unknown'], async ({ client }) => {
      expect(await client.error('tools/call', { name, arguments: {} })).toMatchObject({ code: -32_602 });
    });

  for (const [what, params] of MALFORMED)
    test(`rejects a call ${what}`, ['tools.malformed', 'base.params-invalid'], async ({ client }) => {
      expect(await client.error('tools/call', params)).toMatchObject({ code: -32_602 });
    });

  for (const [what, given] of WRONG)
    test(`does not run a tool with arguments that are ${what}`, ['tools.arguments'], async ({ client }) => {
      const { result, error } = await client.request('tools/call', { name: 'square', arguments: given });
      expect(result?.isError === true || error?.code === -32_602).toBe(true);
    });

  test('reports invalid arguments to the model', ['tools.arguments-failure'], async ({ client }) => {
    const failure = await client.call('square', { side: 1001 });
    expect(failure).toMatchObject({ isError: true });
    expect(textOf(failure)).toContain('side');
  });

  test('reports the reason for a failure to the model', ['tools.failure'], async ({ client }) => {
    const failure = await client.call('fail');
    expect(failure).toMatchObject({ isError: true });
    expect(textOf(failure)).toBe('CONFLICT: the file changed\nread it again');
  });

  test('does not disclose the reason for an unexpected failure', ['tools.failure', 'tools.sanitised'], async ({ client }) => {
    const failure = await client.call('crash');
    expect(failure).toMatchObject({ isError: true });
    expect(JSON.stringify(failure)).not.toMatch(/postgres|secret/);
  });

  test('limits the number of calls of a tool', ['tools.rate-limit'], async ({ client }) => {
    for (let times = 1; times <= 2; times += 1) expect(textOf(await client.call('seldom'))).toBe('called');
    const failure = await client.call('seldom');
    expect(failure).toMatchObject({ isError: true });
    expect(textOf(failure)).toMatch(/^RATE_LIMITED/);
  });

  test('returns results that match the output schema', ['tools.structured'], async ({ client }) => {
    const square = (await listOf(client, 'tools/list')).find(({ name }) => name === 'square');
    expect(square?.outputSchema).toMatchObject({
      type: 'object',
      properties: { side: { type: 'integer' }, area: { type: 'integer' } },
      required: ['side', 'area'],
    });
    expect(await client.call('square', { side: 5 })).toMatchObject({ structuredContent: { side: 5, area: 25 } });
  });

  test('returns structured content as text, too', ['tools.structured-text'], async ({ client }) => {
    expect(JSON.parse(textOf(await client.call('square', { side: 5 })))).toEqual({ side: 5, area: 25 });
  });
};
