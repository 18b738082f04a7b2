import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../src/usage-error.ts';
import { Joined } from './joined.ts';
import { listen } from './listen.ts';

describe('a bus', () => {
  it.each(['postgres://someone:hunter2@127.0.0.1:1/db', 'redis://:hunter2@127.0.0.1:1', 'rediss://:hunter2@127.0.0.1:1'])(
    'that nobody answers at is refused: %s',
    async (url) => {
      const refused = await Joined.by(url).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(UsageError);
      expect(String(refused)).toMatch(
        /the bus \w+:\/\/127\.0\.0\.1:1(\/db)? cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1/,
      );
    },
  );

  it.each([
    ['kafka://:hunter2@host', 'not kafka://'],
    ['localhost:6379', 'that is no URL'],
    ['constructor://x', 'not constructor://'],
    ['', 'that is no URL'],
  ])('of another kind is refused: %s', async (url, reason) => {
    await expect(Joined.by(url)).rejects.toThrow(
      new UsageError(`a bus is given as postgres://… or redis://… (rediss://… for TLS); ${reason}`),
    );
  });

  it.each(['postgres://a:hunter2@[::1', 'redis://a:hunter2@host:99999'])(
    'whose URL cannot be read is refused: %s',
    async (url) => {
      const refused = await Joined.by(url).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(UsageError);
      expect(String(refused)).not.toContain('hunter2');
    },
  );

  it('by rediss:// speaks nothing but TLS', async () => {
    const heard: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        heard.push(bytes);
        socket.destroy();
      });
    });
    const port = await listen(server);
    await expect(Joined.by(`rediss://:hunter2@127.0.0.1:${port}`)).rejects.toThrow('cannot be used');
    // The first bytes of a ClientHello.
    expect(heard.map((bytes) => [...bytes.subarray(0, 2)])).toEqual([[22, 3]]);
    await new Promise((resolve) => server.close(resolve));
  });
});
