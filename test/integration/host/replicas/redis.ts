import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Whether a Redis server is installed on this machine. */
export const HAS_REDIS: boolean = spawnSync('redis-server', ['--version']).status === 0;

export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** Runs a command and returns the lines of its answer. */
  readonly run: (...command: readonly string[]) => readonly string[];
}

/** Starts a Redis server that is reachable at a free port. */
export async function startRedis(): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-several-'));
  const socket = join(directory, 'socket');
  const redis = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', directory]);
  for await (const line of createInterface(redis.stdout)) if (/eady to accept connections/.test(line)) break;
  redis.stdout.resume();
  // Redis cannot choose a free port by itself, so a proxy listens on a free port and forwards data to the socket of Redis.
  const doorway = createServer((client) => {
    const server = connect(socket);
    client.pipe(server).pipe(client);
    for (const end of [client, server]) end.on('error', () => [client, server].forEach((each) => each.destroy()));
  }).listen(0, '127.0.0.1');
  await once(doorway, 'listening');
  return {
    url: `redis://127.0.0.1:${(doorway.address() as AddressInfo).port}`,
    run: (...command) =>
      execFileSync('redis-cli', ['-s', socket, ...command], { encoding: 'utf8' })
        .trim()
        .split('\n'),
    async [Symbol.asyncDispose]() {
      doorway.close();
      redis.kill('SIGKILL');
      await once(redis, 'close');
      rmSync(directory, { recursive: true });
    },
  };
}
