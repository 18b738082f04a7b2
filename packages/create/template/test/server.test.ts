import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { TemplateServer } from '../src/server.js';

describe.each(ERAS)('TemplateServer, in the %s era,', (era) => {
  it('counts the words of a note', async () => {
    await using session = await connect(new TemplateServer(), { era });
    const { structuredContent } = await session.call('count_words', { name: 'today', ignored: ['the'] });
    expect(structuredContent).toEqual({ words: 4 });
  });

  it('rejects the name of a note that does not exist', async () => {
    await using session = await connect(new TemplateServer(), { era });
    expect(await session.fails('count_words', { name: 'never' })).toBe('NOT_FOUND: no note has the name "never"');
  });

  it('serves the text of a note as a resource', async () => {
    await using session = await connect(new TemplateServer(), { era });
    const { contents } = await session.client.readResource({ uri: 'notes://text/today' });
    expect(contents).toMatchObject([{ text: 'water the plants and the lawn', mimeType: 'text/plain' }]);
  });

  it('requests the review of a note', async () => {
    await using session = await connect(new TemplateServer(), { era });
    const { messages } = await session.client.getPrompt({ name: 'review_note', arguments: { name: 'today' } });
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('water the plants') } }]);
  });
});
