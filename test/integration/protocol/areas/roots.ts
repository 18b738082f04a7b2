import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { isStateless } from '../messages/cells.ts';
import { REFUSED, type Answering } from '../client/raw-client.ts';
import { textOf } from '../client/reading.ts';

function rooted(...names: readonly string[]): Answering {
  return { 'roots/list': () => ({ roots: names.map((name) => ({ uri: `file:///${name}`, name })) }) };
}

export const roots: Area = (test, { revision }) => {
  test('requests the roots when a call needs them', ['roots.listed'], async ({ client }) => {
    if (!isStateless(revision)) await client.notify('notifications/roots/list_changed');
    const { answer, asked } = await client.callAnswering('where', rooted('a', 'b'));
    expect(asked.map(({ method }) => method)).toEqual(['roots/list']);
    expect(textOf(answer.result ?? {})).toBe('file:///a a,file:///b b');
  });

  test('requests the roots again after they changed', ['roots.changed'], async ({ client }) => {
    await client.notify('notifications/roots/list_changed');
    expect((await client.callAnswering('where', rooted('a'))).asked).toHaveLength(1);
    expect((await client.callAnswering('where', rooted('b'))).asked).toHaveLength(0);
    await client.notify('notifications/roots/list_changed');
    const { answer, asked } = await client.callAnswering('where', rooted('b'));
    expect(asked).toHaveLength(1);
    expect(textOf(answer.result ?? {})).toBe('file:///b b');
  });

  test('fails the call if the client fails to report its roots', ['roots.failed'], async ({ client }) => {
    await client.notify('notifications/roots/list_changed');
    const { answer } = await client.callAnswering('where', { 'roots/list': () => REFUSED });
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer.result ?? {})).toMatch(/^NO_ANSWER/);
  });

  test(
    'does not request roots from a client without support for roots',
    ['roots.declared', 'rounds.capabilities'],
    async ({ client }) => {
      const _meta = { 'io.modelcontextprotocol/clientCapabilities': {} };
      expect(textOf(await client.result('tools/call', { name: 'where', _meta }))).toBe('nowhere');
    },
  );
};
