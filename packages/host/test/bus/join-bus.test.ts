import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../src/process/usage-error.ts';
import { Joined } from './joined.ts';
import { listen } from './listen.ts';

describe('a bus', () => {
  it.each(['postgres://someone:hunter2@127.0.0.1:1/db', 'redis://:hunter2@127.0.0.1:1', 'rediss://:hunter2@127.0.0.1:1'])(
    'cannot be joined if no server answers: %s',
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
    ['localhost:6379', 'this is not a valid URL'],
    ['constructor://x', 'not constructor://'],
    ['', 'this is not a valid URL'],
  ])('cannot be joined with an unsupported URL: %s', async (url, reason) => {
    await expect(Joined.by(url)).rejects.toThrow(
      new UsageError(`the URL of a bus begins with postgres:// or redis:// (rediss:// for TLS); ${reason}`),
    );
  });

  it.each(['postgres://a:hunter2@[::1', 'redis://a:hunter2@host:99999'])(
    'cannot be joined with an invalid URL: %s',
    async (url) => {
      const refused = await Joined.by(url).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(UsageError);
      expect(String(refused)).not.toContain('hunter2');
    },
  );

  it('uses only TLS with rediss://', async () => {
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
    // A ClientHello of TLS begins with these two bytes.
    expect(heard.map((bytes) => [...bytes.subarray(0, 2)])).toEqual([[22, 3]]);
    await new Promise((resolve) => server.close(resolve));
  });
});
