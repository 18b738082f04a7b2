import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { connect, ERAS } from '@org/mcp-testing';

import { HandbookOptions } from '../src/handbook-options.js';
import { HandbookServer } from '../src/handbook-server.js';

let directory = '';

/** Creates a server for the files in `directory`. */
function createServer(options: Partial<HandbookOptions> = {}): HandbookServer {
  return new HandbookServer(Object.assign(new HandbookOptions(), { directories: [directory] }, options));
}

beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), 'handbook-')));
  await writeFile(path.join(directory, 'offices.md'), '# Offices\n\nWe have two.\n\n## Graz\n\n## Linz\n');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

for (const era of ERAS) {
  describe(`HandbookServer, in the ${era} era,`, () => {
    it('lists the headings of a file', async () => {
      await using session = await connect(createServer(), { era });
      const { structuredContent } = await session.call('outline', { path: 'offices.md' });
      assert.deepEqual(structuredContent, { headings: ['# Offices', '## Graz', '## Linz'] });
    });

    it('rejects a path outside the directory', async () => {
      await using session = await connect(createServer(), { era });
      assert.match(await session.fails('outline', { path: '../offices.md' }), /^PATH_OUTSIDE_ROOTS/);
    });

    it('requires a title, unless the operator turns that off', async () => {
      const page = { path: 'travel.md', content: 'Book early.\n' };
      await using session = await connect(createServer(), { era });
      assert.match(await session.fails('write_file', page), /^INVALID_ARGUMENTS: travel\.md would have no title/);
      await session.call('write_file', { ...page, content: '# Travel\n\nBook early.\n' });
      await using lenient = await connect(createServer({ requireTitle: false }), { era });
      await lenient.call('write_file', page);
    });

    it('does not offer delete_file', async () => {
      await using session = await connect(createServer(), { era });
      const names = await session.toolNames();
      assert.ok(names.includes('read_text_file'));
      assert.ok(!names.includes('delete_file'));
    });

    it('notifies subscribers of the audit of each call, which may wait for the roots of the client', async () => {
      const roots = (): { uri: string }[] => [{ uri: pathToFileURL(directory).href }];
      await using session = await connect(createServer(), { era, roots });
      await using updates = await session.subscribe('audit://calls');
      await session.call('outline', { path: 'offices.md' });
      await updates.next();
      await session.fails('outline', { path: 'missing.md' });
      await updates.next();
      const { contents } = await session.client.readResource({ uri: 'audit://calls' });
      assert.deepEqual(contents, [
        { uri: 'audit://calls', mimeType: 'text/plain', text: 'outline: succeeded\noutline: NOT_FOUND' },
      ]);
    });
  });
}
