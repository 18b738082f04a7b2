import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connectUrl, startProgram, type Era, type RunningProgram, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll } from 'vitest';

import type { AppDatabase } from './app.ts';

export type Principal = 'ada' | 'bob';

const TOKENS: Readonly<Record<Principal, string>> = { ada: 'a'.repeat(32), bob: 'b'.repeat(32) };

/** Starts a process for the tests of a file that serves two principals over HTTP as `app`; returns how one of them joins it. */
export function serveTwo(
  database: AppDatabase,
  ...options: readonly string[]
): (principal: Principal, era: Era) => Promise<Session> {
  let directory = '';
  let program: RunningProgram | undefined;
  let url = '';
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'principals-'));
    const tokenFile = path.join(directory, 'tokens');
    const lines = Object.entries(TOKENS).map(([name, token]) => `${name} ${token} read write\n`);
    await writeFile(tokenFile, lines.join(''), { mode: 0o600 });
    await chmod(tokenFile, 0o600);
    const { command, args } = database.programAsApp({ stateDir: path.join(directory, 'state') });
    program = startProgram({ command, args: [...args, '--http', '0', '--token-file', tokenFile, ...options] });
    const line = await program.stderr.next((each) => each.includes('serves at'));
    url = line.slice(line.indexOf('http'));
  });
  afterAll(async () => {
    await program?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });
  return (principal, era) => connectUrl(url, { era, token: TOKENS[principal] });
}
