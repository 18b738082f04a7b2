import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { StdioTransport } from '../src/stdio-transport.ts';

describe('the end of a stdio transport', () => {
  it('comes when the client closes its side', async () => {
    const stdin = new PassThrough();
    const transport = new StdioTransport(stdin, new PassThrough());
    await transport.start();
    stdin.end();
    await expect(transport.closed).resolves.toBeUndefined();
  });

  it('comes when the server closes it', async () => {
    const transport = new StdioTransport(new PassThrough(), new PassThrough());
    await transport.start();
    await transport.close();
    await expect(transport.closed).resolves.toBeUndefined();
  });
});
