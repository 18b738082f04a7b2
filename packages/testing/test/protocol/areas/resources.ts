import { expect } from 'vitest';

import { RED_PIXEL } from '../../conformance/media.ts';
import type { Area } from '../area.ts';
import { listOf } from '../reading.ts';

const BAD_URIS = ['', 'text', '../text', 'protocol:', 'protocol://item/a/b', 'protocol://item/%ZZ'];

export const resources: Area = (test) => {
  test('declares them', ['resources.capability'], async ({ client }) => {
    const { capabilities } = client.handshake ?? (await client.result('server/discover'));
    expect(capabilities).toMatchObject({ resources: { listChanged: true, subscribe: true } });
  });

  test('lists each with its URI and a name', ['resources.list'], async ({ client }) => {
    const listed = await listOf(client, 'resources/list');
    expect(listed).toContainEqual(expect.objectContaining({ uri: 'protocol://text', name: 'text', mimeType: 'text/plain' }));
    expect(new Set(listed.map(({ uri }) => uri)).size).toBe(listed.length);
  });

  test('lists templates', ['resources.templates'], async ({ client }) => {
    const listed = await listOf(client, 'resources/templates/list');
    expect(listed).toContainEqual(expect.objectContaining({ uriTemplate: 'protocol://item/{id}', name: 'item' }));
  });

  test('says for whom one is', ['resources.annotations'], async ({ client }) => {
    const text = (await listOf(client, 'resources/list')).find(({ name }) => name === 'text');
    expect(text).toMatchObject({ annotations: { audience: ['user'], priority: 0.8 } });
  });

  test('reads text, with its URI and type', ['resources.read-text'], async ({ client }) => {
    const { contents } = await client.result('resources/read', { uri: 'protocol://text' });
    expect(contents).toEqual([{ uri: 'protocol://text', mimeType: 'text/plain', text: 'text' }]);
  });

  test('reads JSON as text', ['resources.read-text'], async ({ client }) => {
    const { contents } = await client.result('resources/read', { uri: 'protocol://json' });
    expect(contents).toEqual([{ uri: 'protocol://json', mimeType: 'application/json', text: '{"json":true}' }]);
  });

  test('reads bytes in Base64', ['resources.read-blob'], async ({ client }) => {
    const { contents } = await client.result('resources/read', { uri: 'protocol://blob' });
    expect(contents).toEqual([{ uri: 'protocol://blob', mimeType: 'image/png', blob: RED_PIXEL }]);
  });

  test('reads several by one URI', ['resources.read-several'], async ({ client }) => {
    const { contents } = await client.result('resources/read', { uri: 'protocol://several' });
    expect(contents).toMatchObject([{ text: 'text' }, { blob: RED_PIXEL }]);
  });

  test('reads what a template names', ['resources.read-template'], async ({ client }) => {
    const { contents } = await client.result('resources/read', { uri: 'protocol://item/a%20b' });
    expect(contents).toEqual([{ uri: 'protocol://item/a%20b', mimeType: 'text/plain', text: 'item a b' }]);
  });

  for (const uri of ['protocol://nothing', 'file:///etc/passwd']) {
    test(`does not find ${uri}`, ['resources.not-found', 'resources.not-found-uri'], async ({ client }) => {
      expect(await client.error('resources/read', { uri })).toMatchObject({ code: -32_002, data: { uri } });
    });
    test(
      `does not find ${uri}`,
      ['resources.not-found-params', 'resources.not-found-uri', 'base.reserved-codes'],
      async ({ client }) => {
        expect(await client.error('resources/read', { uri })).toMatchObject({ code: -32_602, data: { uri } });
      },
    );
  }

  for (const uri of BAD_URIS)
    test(`does not read "${uri.slice(0, 30)}"`, ['resources.uri'], async ({ client }) => {
      expect([-32_602, -32_002]).toContain((await client.error('resources/read', { uri })).code);
    });

  test('does not say why one cannot be read', ['resources.internal'], async ({ client }) => {
    const error = await client.error('resources/read', { uri: 'protocol://broken' });
    expect(error).toMatchObject({ code: -32_603 });
    expect(JSON.stringify(error)).not.toMatch(/EACCES|secret/);
  });
};
