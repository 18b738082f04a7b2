import { describe, expect, it } from 'vitest';

import { answerTo, call, envelope, openSession, RAW_CLIENTS, request, SESSIONS } from './raw-client.ts';

const TEXT = { type: 'text', text: 'known' };
const LINK = { type: 'resource_link', uri: 'note://here', name: 'here', description: 'A note' };
const AUDIO = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations: { audience: ['user'] } };
const LINK_AS_TEXT = { type: 'text', text: '[resource here: note://here]\nA note' };
const AUDIO_AS_TEXT = {
  type: 'text',
  text: "[audio, audio/wav, 3 bytes: the client's protocol revision does not support audio]",
  annotations: { audience: ['user'] },
};

const CONTENT: Readonly<Record<string, readonly object[]>> = {
  '2024-11-05': [TEXT, LINK_AS_TEXT, AUDIO_AS_TEXT],
  '2025-03-26': [TEXT, LINK_AS_TEXT, AUDIO],
  '2025-06-18': [TEXT, LINK, AUDIO],
  '2025-11-25': [TEXT, LINK, AUDIO],
};

describe.each(RAW_CLIENTS)('over %s, content', (_, open) => {
  it.each(SESSIONS)('that protocol version %s does not support is converted to text in results', async (revision) => {
    await using client = open();
    await openSession(client, revision);
    client.send(call(1, 'media'));
    expect(await answerTo(client, 1)).toMatchObject({ result: { content: CONTENT[revision] } });
    client.send(request(2, 'prompts/get', { name: 'talk' }));
    const messages = CONTENT[revision]?.map((content) => ({ role: 'user', content }));
    expect(await answerTo(client, 2)).toMatchObject({ result: { messages } });
  });

  it('of every kind is sent unchanged on 2026-07-28', async () => {
    await using client = open();
    client.send(call(1, 'media', {}, envelope()));
    expect(await answerTo(client, 1)).toMatchObject({ result: { content: [TEXT, LINK, AUDIO] } });
  });

  it.each([
    ['2024-11-05', [TEXT, AUDIO_AS_TEXT]],
    ['2025-06-18', [TEXT, AUDIO]],
    ['2025-11-25', [[TEXT, AUDIO]]],
  ])('in sampling requests has the form that protocol version %s supports', async (revision, contents) => {
    await using client = open();
    await openSession(client, revision, { sampling: {} });
    client.send(call(1, 'sample'));
    const asked = await client.received.next(({ method }) => method === 'sampling/createMessage');
    expect(asked.params).toMatchObject({ messages: contents.map((content) => ({ role: 'user', content })) });
    client.send({ jsonrpc: '2.0', id: asked.id, result: { role: 'assistant', model: 'm', content: TEXT } });
    expect(await answerTo(client, 1)).toMatchObject({ result: { content: [{ text: 'text' }] } });
  });
});

const MIB = 1024 * 1024;

describe.each(RAW_CLIENTS)('over %s, a result that is larger than a client can read', (_, open) => {
  const failure = {
    isError: true,
    content: [{ text: expect.stringMatching(/^TOO_LARGE: .* 9\.9 MiB/) }],
    _meta: { error: { code: 'TOO_LARGE' } },
  };

  it('is replaced by a tool error in a session', async () => {
    await using client = open();
    await openSession(client, '2025-11-25');
    client.send(call(1, 'large', { size: 11 * MIB }));
    expect(await answerTo(client, 1)).toMatchObject({ result: failure });
  });

  it('is replaced by a tool error that names the server', async () => {
    await using client = open();
    client.send(call(1, 'large', { size: 11 * MIB }, envelope()));
    const _meta = { ...failure._meta, 'io.modelcontextprotocol/serverInfo': { name: 'wire', version: '1.0.0' } };
    expect(await answerTo(client, 1)).toMatchObject({ result: { ...failure, _meta, resultType: 'complete' } });
  });

  it('is measured in bytes, not in characters', async () => {
    await using client = open();
    await openSession(client, '2025-11-25');
    client.send(call(1, 'large', { size: 4 * MIB, character: '€' }), call(2, 'large', { size: 4 * MIB }));
    expect(await answerTo(client, 1)).toMatchObject({ result: { isError: true } });
    const { result } = await answerTo(client, 2);
    expect(JSON.stringify(result).length).toBeGreaterThan(4 * MIB);
  });

  it('is replaced by an error if no tool was called', async () => {
    await using client = open();
    await openSession(client, '2025-11-25');
    client.send(request(1, 'resources/read', { uri: 'note://large' }));
    expect(await answerTo(client, 1)).toMatchObject({
      error: { code: -32_602, message: expect.stringMatching(/^TOO_LARGE: /), data: { code: 'TOO_LARGE' } },
    });
  });
});
