import assert from 'node:assert/strict';

import { connect, ERAS } from '@org/mcp-testing';

import { TemplateServer } from '../src/server.js';

for (const era of ERAS) {
  describe(`TemplateServer, in the ${era} era,`, () => {
    it('counts the words of a note', async () => {
      await using session = await connect(new TemplateServer(), { era });
      const { structuredContent } = await session.call('count_words', { name: 'today', ignored: ['the'] });
      assert.deepEqual(structuredContent, { words: 4 });
    });

    it('rejects the name of a note that does not exist', async () => {
      await using session = await connect(new TemplateServer(), { era });
      assert.equal(await session.fails('count_words', { name: 'never' }), 'NOT_FOUND: no note has the name "never"');
    });

    it('serves the text of a note as a resource', async () => {
      await using session = await connect(new TemplateServer(), { era });
      const { contents } = await session.client.readResource({ uri: 'notes://text/today' });
      const [text] = contents.map((content) => ('text' in content ? content.text : undefined));
      assert.equal(text, 'water the plants and the lawn');
    });

    it('requests the review of a note', async () => {
      await using session = await connect(new TemplateServer(), { era });
      const { messages } = await session.client.getPrompt({ name: 'review_note', arguments: { name: 'today' } });
      const [text] = messages.map(({ content }) => (content.type === 'text' ? content.text : ''));
      assert.match(text ?? '', /water the plants/);
    });
  });
}
