import { once } from 'node:events';
import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { explainAddressError } from '../../src/http-messages/listen-address.ts';
import { answering } from '../http/answering.ts';

/** Returns the explanation of the error if listening fails. Returns `undefined` if listening succeeds. */
async function problemOf(host: string, port: number): Promise<string | undefined> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return explainAddressError(error);
  } finally {
    server.close();
  }
}

describe('an address that cannot be listened on', () => {
  it('is explained', async () => {
    await using server = await answering(() => undefined);
    expect(await problemOf('127.0.0.1', server.port)).toBe('another process uses this port');
    expect(await problemOf('192.0.2.1', 0)).toBe('this machine has no such address');
  });
});

describe('an error of another kind', () => {
  it.each([new Error('broken'), Object.assign(new Error('broken'), { code: 'ENOENT' }), 'EADDRINUSE', undefined])(
    'is not explained as a problem of the address: %j',
    (error) => {
      expect(explainAddressError(error)).toBeUndefined();
    },
  );
});
