import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { WatchedServer } from '../../../../src/postgres/database/embedded/launch.ts';

/** A program that reports readiness before it handles signals, like a server that is still starting. */
const IGNORES_FIRST_SIGNAL = `
process.on('SIGINT', () => undefined);
console.error('database system is ready to accept connections');
setTimeout(() => process.on('SIGINT', () => process.exit()), 500);
setInterval(() => undefined, 1000);`;

describe('a watched server', () => {
  it('is stopped although it ignored the first signal', async () => {
    const temporary = await mkdtemp(path.join(tmpdir(), 'watched-'));
    onTestFinished(() => rm(temporary, { recursive: true, force: true }));
    const command = [process.execPath, '-e', IGNORES_FIRST_SIGNAL];
    const server = WatchedServer.spawn({ command, env: { PATH: '/usr/bin:/bin' }, account: undefined, temporary });
    await server.ready;
    await expect(server.stop()).resolves.toBeUndefined();
  });
});
