import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { eachTransport, REVISIONS } from '../src/index.ts';
import { GreetingServer } from './fixtures/greeting-server.mjs';

const PROGRAM = fileURLToPath(new URL('fixtures/greeting-server.mjs', import.meta.url));

const CASES = eachTransport({
  server: ({ name }: { readonly name: string }) => new GreetingServer({ name }),
  program: ({ name }) => ({ command: process.execPath, args: [PROGRAM], env: { GREETED: name } }),
});

const CLIENTS = { memory: 'InMemoryTransport', http: 'StreamableHTTPClientTransport', stdio: 'StdioClientTransport' };

describe('the table of eachTransport', () => {
  it('contains every transport in both eras', () => {
    expect(CASES.map(({ name }) => name)).toEqual([
      'memory, legacy',
      'memory, modern',
      'http, legacy',
      'http, modern',
      'stdio, legacy',
      'stdio, modern',
    ]);
    expect(CASES.map(({ transport, era }) => `${transport}, ${era}`)).toEqual(CASES.map(({ name }) => name));
  });
});

describe.each(CASES)('a server that is reached by $name', ({ era, transport, connect }) => {
  it('is created for each connection from the value that the test passes', async () => {
    await using ada = await connect({ name: 'Ada' });
    await using bob = await connect({ name: 'Bob' });
    expect([await ada.text('greet'), await bob.text('greet')]).toEqual(['Hello Ada', 'Hello Bob']);
  });

  it('uses the revision of its era over its transport, with the client options of the test', async () => {
    await using session = await connect({ name: 'Ada', roots: () => [{ uri: 'file:///a' }] });
    expect(session.client.getNegotiatedProtocolVersion()).toBe(REVISIONS[era]);
    expect(session.client.transport?.constructor.name).toBe(CLIENTS[transport]);
    expect(JSON.parse(await session.text('roots'))).toEqual([{ uri: 'file:///a' }]);
  });
});
