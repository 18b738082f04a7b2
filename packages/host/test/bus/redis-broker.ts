import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { Redis } from 'ioredis';

import { Broker, PASSWORD, type BrokerProgram } from './broker.ts';
import type { Doorway } from './doorway.ts';

/** Whether a Redis server is installed on this machine. */
export const HAS_REDIS: boolean = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis server; SIGKILL stops it. */
export class RedisBroker extends Broker {
  static async create(): Promise<RedisBroker> {
    const broker = new RedisBroker();
    await broker.start();
    return broker;
  }

  override urlWith(password: string, { port }: Doorway = this.doorway): string {
    return `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  }

  override async say(channel: string, payloads: readonly string[]): Promise<void> {
    const client = new Redis(this.url);
    await Promise.all(payloads.map((payload) => client.publish(channel, payload)));
    await client.quit();
  }

  protected override get program(): BrokerProgram {
    const settings = { port: '0', unixsocket: this.socket, save: '', dir: this.directory, requirepass: PASSWORD };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    return { file: 'redis-server', args, options: {}, ready: 'eady to accept connections', signal: 'SIGKILL' };
  }

  override get socket(): string {
    return join(this.directory, 'socket');
  }
}
