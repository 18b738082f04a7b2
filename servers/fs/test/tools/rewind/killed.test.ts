import { watch } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { mcpFs } from '../../fixtures/mcp-fs.ts';
import { rewindTo } from '../../fixtures/rewinds.ts';
import { temporaryDirectory, temporaryState } from '../../fixtures/temporary.ts';

/** Minimum number of times that the server is killed. For a thorough run, set `MCP_TEST_KILLS=200`. */
const KILLS = Number(process.env['MCP_TEST_KILLS'] ?? 6);
const NAMES = Array.from({ length: 40 }, (_, index) => `f${String(index)}`);
const FILL = 'x'.repeat(50_000);
const BEFORE = `before
${FILL}`;
const AFTER = `after
${FILL}`;

function start(root: string, state: string): Promise<Session> {
  return connectProcess(mcpFs('--state-dir', state, '--tools', 'all', root));
}

async function readAll(root: string): Promise<readonly string[]> {
  return Promise.all(NAMES.map((name) => readFile(path.join(root, name), 'utf8')));
}

/** Changes all files, and kills the server as soon as its rewind has replaced `replaced` files. */
async function killedDuringRewind(root: string, state: string, replaced: number): Promise<void> {
  const session = await start(root, state);
  const pid = (session.client.transport as unknown as { readonly pid: number }).pid;
  await session.text('checkpoint', { name: 'start' });
  await session.text('replace_in_files', { path: '.', pattern: 'before', replacement: 'after' });
  const seen = new Set<string>();
  const watcher = watch(root, (_, name) => {
    if (name !== null && NAMES.includes(name) && seen.add(name).size === replaced) process.kill(pid, 'SIGKILL');
  });
  await session.client.callTool({ name: 'rewind', arguments: { to: 'start', apply: true } }).catch(() => undefined);
  watcher.close();
  await session[Symbol.asyncDispose]();
}

describe('a server that is killed during a rewind', () => {
  it(
    `leaves each file with the old or the new content, and the next rewind completes it, at least ${KILLS} times`,
    { timeout: KILLS * 20_000 },
    async () => {
      const root = await temporaryDirectory();
      const state = temporaryState();
      for (const name of NAMES) await writeFile(path.join(root, name), BEFORE);
      let interrupted = 0;
      for (let kill = 0; kill < KILLS || interrupted === 0; kill += 1) {
        await killedDuringRewind(root, state, 1 + ((kill * 7) % 20));
        const contents = await readAll(root);
        expect(contents.every((content) => content === BEFORE || content === AFTER)).toBe(true);
        interrupted += contents.includes(BEFORE) && contents.includes(AFTER) ? 1 : 0;
        await using session = await start(root, state);
        await rewindTo(session, 'start');
        expect(new Set(await readAll(root))).toEqual(new Set([BEFORE]));
      }
      expect((await readdir(root)).sort()).toEqual([...NAMES].sort());
    },
  );
});
