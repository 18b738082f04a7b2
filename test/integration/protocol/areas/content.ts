import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { RED_PIXEL, SILENCE } from '../../support/media.ts';

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

  test('returns an image from a tool', ['tools.image'], async ({ client }) => {
    expect(await client.call('image')).toMatchObject({ content: [IMAGE] });
  });

  test('returns audio from a tool', ['tools.audio'], async ({ client }) => {
    expect(await client.call('audio')).toMatchObject({ content: [AUDIO] });
  });

  test('returns an embedded resource from a tool', ['tools.resource'], async ({ client }) => {
    expect(await client.call('embedded')).toMatchObject({ content: [TEXT_RESOURCE, BLOB_RESOURCE] });
  });

  test('returns a link to a resource from a tool', ['tools.resource-link'], async ({ client }) => {
    expect(await client.call('link')).toMatchObject({
      content: [{ type: 'resource_link', uri: 'protocol://text', name: 'text', mimeType: 'text/plain' }],
    });
  });

  for (const tool of ['audio', 'link'])
    test(
      `returns from the tool ${tool} only content types of the protocol version, and describes replaced content`,
      ['tools.known-content', 'lifecycle.version-respected'],
      async ({ client }) => {
        const blocks = (await client.call(tool)).content ?? [];
        expect(blocks).toHaveLength(1);
        for (const { type } of blocks) expect(kinds).toContain(type);
        expect(JSON.stringify(blocks)).toMatch(/audio|protocol:\/\/text/);
      },
    );

  test('returns an image from a prompt', ['prompts.image'], async ({ client }) => {
    const { messages } = await client.result('prompts/get', { name: 'picture' });
    expect(messages).toMatchObject([
      { role: 'user', content: IMAGE },
      { role: 'assistant', content: { type: 'text', text: 'It is red.' } },
    ]);
  });

  test('returns audio from a prompt', ['prompts.audio'], async ({ client }) => {
    expect(await client.result('prompts/get', { name: 'sound' })).toMatchObject({ messages: [{ role: 'user', content: AUDIO }] });
  });

  test('returns an embedded resource from a prompt', ['prompts.resource'], async ({ client }) => {
    const { messages = [] } = await client.result('prompts/get', { name: 'papers' });
    expect(messages[0]).toMatchObject({ role: 'user', content: TEXT_RESOURCE });
  });

  for (const name of ['sound', 'papers'])
    test(
      `returns from the prompt ${name} only content types of the protocol version`,
      ['prompts.known-content'],
      async ({ client }) => {
        const { messages = [] } = await client.result('prompts/get', { name });
        for (const message of messages) expect(kinds).toContain(message.content?.type);
      },
    );
};
