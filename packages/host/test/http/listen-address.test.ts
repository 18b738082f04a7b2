import { once } from 'node:events';
import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { addressProblem } from '../../src/http/listen-address.ts';
import { answering } from './answering.ts';

/** Why no connections can be taken there. */
async function problemOf(host: string, port: number): Promise<string | undefined> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return addressProblem(error);
  } finally {
    server.close();
  }
}

describe('an address where no connections can be taken', () => {
  it('has a problem that can be told in a sentence', async () => {
    await using server = await answering(() => undefined);
    expect(await problemOf('127.0.0.1', server.port)).toBe('another process has that port');
    expect(await problemOf('192.0.2.1', 0)).toBe('this machine has no such address');
  });
});

describe('an error of another kind', () => {
  it.each([new Error('broken'), Object.assign(new Error('broken'), { code: 'ENOENT' }), 'EADDRINUSE', undefined])(
    'is no problem of the address: %j',
    (error) => {
      expect(addressProblem(error)).toBeUndefined();
    },
  );
});
