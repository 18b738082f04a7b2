import assert from 'node:assert/strict';

import { connect, ERAS } from '@org/mcp-testing';

import { LibraryServer } from '../src/library-server.js';

for (const era of ERAS) {
  describe(`LibraryServer, in the ${era} era,`, () => {
    it('lends a book for two weeks by default', async () => {
      await using session = await connect(new LibraryServer(), { era });
      const { structuredContent } = await session.call('lend_book', { title: 'Emma', reader: 'Ann' });
      assert.deepEqual(structuredContent, { title: 'Emma', reader: 'Ann', days: 14 });
    });

    it('rejects a book that the library does not have', async () => {
      await using session = await connect(new LibraryServer(), { era });
      const text = await session.fails('lend_book', { title: 'Ulysses', reader: 'Ann' });
      assert.equal(text, 'NOT_FOUND: the library has no book "Ulysses"');
    });

    it('reserves a lent book if the user agrees', async () => {
      await using session = await connect(new LibraryServer(), { era, answers: { elicitation: { reserve: true } } });
      await session.call('lend_book', { title: 'Emma', reader: 'Ann' });
      const text = await session.fails('lend_book', { title: 'Emma', reader: 'Bob' });
      assert.equal(text, 'CONFLICT: Ann has "Emma"\nit is reserved for Bob');
      assert.equal(session.elicited.all[0]?.message, 'Ann has Emma. Reserve it for Bob?');
      assert.equal(await session.text('return_book', { title: 'Emma' }), 'Emma is reserved for Bob');
    });

    it('reserves nothing if the user declines', async () => {
      await using session = await connect(new LibraryServer(), { era, answers: { elicitation: 'decline' } });
      await session.call('lend_book', { title: 'Emma', reader: 'Ann' });
      await session.fails('lend_book', { title: 'Emma', reader: 'Bob' });
      assert.equal(await session.text('return_book', { title: 'Emma' }), 'Emma is available');
    });

    it('serves the description of a book as a resource', async () => {
      await using session = await connect(new LibraryServer(), { era });
      const { contents } = await session.client.readResource({ uri: 'library://books/Walden' });
      assert.deepEqual(contents, [{ uri: 'library://books/Walden', mimeType: 'text/plain', text: 'An essay by Henry Thoreau' }]);
    });

    it('completes the title in the prompt', async () => {
      await using session = await connect(new LibraryServer(), { era });
      const ref = { type: 'ref/prompt', name: 'recommend' } as const;
      const { completion } = await session.client.complete({ ref, argument: { name: 'title', value: 'Wa' } });
      assert.deepEqual(completion.values, ['Walden']);
      const { messages } = await session.client.getPrompt({ name: 'recommend', arguments: { title: 'Walden' } });
      assert.equal(messages.length, 1);
    });
  });
}
