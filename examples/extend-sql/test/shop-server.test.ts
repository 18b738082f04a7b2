import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connect, ERAS, type Session } from '@org/mcp-testing';

import { ShopOptions } from '../src/shop-options.js';
import { ShopServer } from '../src/shop-server.js';

/** Directory that contains the state of the servers. */
let directory = '';

beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), 'shop-')));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

for (const era of ERAS) {
  describe(`ShopServer, in the ${era} era,`, () => {
    let session: Session;

    // Starts an embedded PostgreSQL with the sample data, which the tests share.
    beforeAll(async () => {
      const options = { sample: true, stateDir: path.join(directory, 'state'), best: 2 };
      session = await connect(new ShopServer(Object.assign(new ShopOptions(), options)), { era });
    }, 60_000);

    afterAll(() => session[Symbol.asyncDispose]());

    it('lists the best-selling products of a country', async () => {
      const { structuredContent } = await session.call('best_sellers', { country: 'JP' });
      assert.deepEqual(structuredContent, {
        products: [
          { name: 'Product 12', sold: 251 },
          { name: 'Product 167', sold: 251 },
        ],
      });
    });

    it('records the statements of query that succeed', async () => {
      await session.text('query', { sql: 'SELECT 1' });
      await session.fails('query', { sql: 'DELETE FROM shop.orders' });
      const { contents } = await session.client.readResource({ uri: 'shop://statements' });
      const [statements] = contents.map((content) => ('text' in content ? JSON.parse(content.text) : []));
      assert.equal(statements[0], 'SELECT 1');
    });

    it('does not offer generate_types', async () => {
      const names = await session.toolNames();
      assert.ok(names.includes('describe'));
      assert.ok(!names.includes('generate_types'));
    });
  });
}
