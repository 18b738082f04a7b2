import { expect } from 'vitest';

import { RED_PIXEL } from '../../support/media.ts';
import type { Area } from '../client/area.ts';
import { listOf } from '../client/reading.ts';

const BAD_URIS = ['', 'text', '../text', 'protocol:', 'protocol://item/a/b', 'protocol://item/%ZZ'];

export const resources: Area = (test) => {
  test('declares the resources capability', ['resources.capability'], async ({ client }) => {
    const { capabilities } = client.handshake ?? (await client.result('server/discover'));
    expect(capabilities).toMatchObject({ resources: { listChanged: true, subscribe: true } });
  });

  test('lists each resource with its URI and name', ['resources.list'], async ({ client }) => {
    const listed = await listOf(client, 'resources/list');
    expect(listed).toContainEqual(expect.objectContaining({ uri: 'protocol://text', name: 'text', mimeType: 'text/plain' }));
    expect(new Set(listed.map(({ uri }) => uri)).size).toBe(listed.length);
  });

  test('lists resource templates', ['resources.templates'], async ({ client }) => {
    const listed = await listOf(client, 'resources/templates/list');
    expect(listed).toContainEqual(expect.objectContaining({ uriTemplate: 'protocol://item/{id}', name: 'item' }));
  });

  test('includes the audience of a resource', ['resources.annotations'], async ({ client }) => {
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

  test('returns several contents for one URI', ['resources.read-several'], async ({ client }) => {
    const { contents } = await client.result('resources/read', { uri: 'protocol://several' });
    expect(contents).toMatchObject([{ text: 'text' }, { blob: RED_PIXEL }]);
  });

  test('reads a resource through a template', ['resources.read-template'], async ({ client }) => {
    const { contents } = await client.result('resources/read', { uri: 'protocol://item/a%20b' });
    expect(contents).toEqual([{ uri: 'protocol://item/a%20b', mimeType: 'text/plain', text: 'item a b' }]);
  });

  for (const uri of ['protocol://nothing', 'file:///etc/passwd']) {
    test(
      `reports the unknown resource ${uri} as missing`,
      ['resources.not-found', 'resources.not-found-uri'],
      async ({ client }) => {
        expect(await client.error('resources/read', { uri })).toMatchObject({ code: -32_002, data: { uri } });
      },
    );
    test(
      `reports the unknown resource ${uri} as missing`,
      ['resources.not-found-params', 'resources.not-found-uri', 'base.reserved-codes'],
      async ({ client }) => {
        expect(await client.error('resources/read', { uri })).toMatchObject({ code: -32_602, data: { uri } });
      },
    );
  }

  for (const uri of BAD_URIS)
    test(`rejects the URI "${uri.slice(0, 30)}"`, ['resources.uri'], async ({ client }) => {
      expect([-32_602, -32_002]).toContain((await client.error('resources/read', { uri })).code);
    });

  test('does not disclose the reason for a failed read', ['resources.internal'], async ({ client }) => {
    const error = await client.error('resources/read', { uri: 'protocol://broken' });
    expect(error).toMatchObject({ code: -32_603 });
    expect(JSON.stringify(error)).not.toMatch(/EACCES|secret/);
  });
};
