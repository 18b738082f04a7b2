import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectUrl, startProgram, type Session } from '@org/mcp-testing';

import { mcpFs } from './mcp-fs.ts';
import { temporaryDirectory, temporaryState } from './temporary.ts';

type Principal = 'ada' | 'bob';

const TOKENS: Readonly<Record<Principal, string>> = { ada: 'a'.repeat(32), bob: 'b'.repeat(32) };

/** A process that serves two principals over HTTP; closing it ends the process. */
export interface SharedProcess extends AsyncDisposable {
  readonly connectAs: (principal: Principal) => Promise<Session>;
}

export async function startShared(...args: readonly string[]): Promise<SharedProcess> {
  const tokenFile = path.join(await temporaryDirectory(), 'tokens');
  const lines = Object.entries(TOKENS).map(([name, token]) => `${name} ${token} read write\n`);
  await writeFile(tokenFile, lines.join(''), { mode: 0o600 });
  const program = startProgram(mcpFs('--http', '0', '--token-file', tokenFile, '--state-dir', temporaryState(), ...args));
  const line = await program.stderr.next((each) => each.includes('serves at'));
  const url = line.slice(line.indexOf('http'));
  return {
    connectAs: (principal) => connectUrl(url, { era: 'legacy', token: TOKENS[principal] }),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
