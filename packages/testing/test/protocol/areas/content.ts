import { expect } from 'vitest';

import type { Area } from '../area.ts';
import { RED_PIXEL, SILENCE } from '../../conformance/media.ts';

const IMAGE = { type: 'image', data: RED_PIXEL, mimeType: 'image/png' };
const AUDIO = { type: 'audio', data: SILENCE, mimeType: 'audio/wav' };
const TEXT_RESOURCE = { type: 'resource', resource: { uri: 'protocol://text', mimeType: 'text/plain', text: 'text' } };
const BLOB_RESOURCE = { type: 'resource', resource: { uri: 'protocol://blob', mimeType: 'image/png', blob: RED_PIXEL } };

/** The kinds of content that the first two revisions have. */
const FIRST_KINDS: Readonly<Record<string, readonly string[]>> = {
  '2024-11-05': ['text', 'image', 'resource'],
  '2025-03-26': ['text', 'image', 'audio', 'resource'],
};

export const content: Area = (test, { revision }) => {
  const kinds = FIRST_KINDS[revision] ?? [];

  test('is an image', ['tools.image'], async ({ client }) => {
    expect(await client.call('image')).toMatchObject({ content: [IMAGE] });
  });

  test('is a sound', ['tools.audio'], async ({ client }) => {
    expect(await client.call('audio')).toMatchObject({ content: [AUDIO] });
  });

  test('is a resource', ['tools.resource'], async ({ client }) => {
    expect(await client.call('embedded')).toMatchObject({ content: [TEXT_RESOURCE, BLOB_RESOURCE] });
  });

  test('is a link to a resource', ['tools.resource-link'], async ({ client }) => {
    expect(await client.call('link')).toMatchObject({
      content: [{ type: 'resource_link', uri: 'protocol://text', name: 'text', mimeType: 'text/plain' }],
    });
  });

  for (const tool of ['audio', 'link'])
    test(
      `of ${tool} is of a kind that the revision has, and says what it stands for`,
      ['tools.known-content', 'lifecycle.version-respected'],
      async ({ client }) => {
        const blocks = (await client.call(tool)).content ?? [];
        expect(blocks).toHaveLength(1);
        for (const { type } of blocks) expect(kinds).toContain(type);
        expect(JSON.stringify(blocks)).toMatch(/audio|protocol:\/\/text/);
      },
    );

  test('of a prompt is an image', ['prompts.image'], async ({ client }) => {
    const { messages } = await client.result('prompts/get', { name: 'picture' });
    expect(messages).toMatchObject([
      { role: 'user', content: IMAGE },
      { role: 'assistant', content: { type: 'text', text: 'It is red.' } },
    ]);
  });

  test('of a prompt is a sound', ['prompts.audio'], async ({ client }) => {
    expect(await client.result('prompts/get', { name: 'sound' })).toMatchObject({ messages: [{ role: 'user', content: AUDIO }] });
  });

  test('of a prompt is a resource', ['prompts.resource'], async ({ client }) => {
    const { messages = [] } = await client.result('prompts/get', { name: 'papers' });
    expect(messages[0]).toMatchObject({ role: 'user', content: TEXT_RESOURCE });
  });

  for (const name of ['sound', 'papers'])
    test(`of the prompt ${name} is of a kind that the revision has`, ['prompts.known-content'], async ({ client }) => {
      const { messages = [] } = await client.result('prompts/get', { name });
      for (const message of messages) expect(kinds).toContain(message.content?.type);
    });
};
