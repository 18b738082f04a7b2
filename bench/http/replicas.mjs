import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { freePort } from '../measuring/free-port.mjs';

const PROGRAM = fileURLToPath(new URL('../echo/echo-replica-server.mjs', import.meta.url));

/** Starts a Redis server, and `count` processes of a server that share their sessions on it. */
export async function startReplicas(count) {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
  const key = join(directory, 'key');
  writeFileSync(key, 'k'.repeat(32), { mode: 0o600 });
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory]);
  await untilLine(redis.stdout, /eady to accept connections/);
  const flags = ['--http=0', `--state-key-file=${key}`, `--bus=redis://127.0.0.1:${port}`, '--shared-sessions'];
  const processes = await Promise.all(Array.from({ length: count }, () => startReplica(flags)));
  return {
    processes,

    async close() {
      for (const { child } of [...processes, { child: redis }]) {
        child.kill('SIGKILL');
        await once(child, 'close');
      }
      rmSync(directory, { recursive: true });
    },
  };
}

async function startReplica(flags) {
  const child = spawn(process.execPath, [PROGRAM, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  const line = await untilLine(child.stderr, /serves at/);
  return { child, pid: child.pid, url: line.slice(line.indexOf('http')) };
}

/** Returns the first matching line of a stream, and drops all later lines. */
async function untilLine(stream, pattern) {
  for await (const line of createInterface({ input: stream })) {
    if (!pattern.test(line)) continue;
    stream.resume();
    return line;
  }
  throw new Error(`the program ended before it printed ${pattern}`);
}
