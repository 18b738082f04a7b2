import { fileURLToPath } from 'node:url';

import { connectProcess, connectUrl, ERAS, startProgram, type Era, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { tokenOf } from '../../fixtures/confirming.ts';
import { git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const BIN = fileURLToPath(new URL('../../../bin/mcp-git.js', import.meta.url));

/** MCP hosts that declare elicitation but have no user: they decline or cancel each question at once. */
const HOSTS = [
  ['declines', 'decline'],
  ['cancels', 'cancel'],
] as const;

const HARD = { mode: 'hard' };

async function changedRepository(): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
  await writeIn(top, 'a.txt', 'mine\n');
  return top;
}

function status(top: string): string {
  return git(top, ['status', '--porcelain', '--untracked-files=no']).trim();
}

async function confirmByToken(session: Session): Promise<void> {
  expect(await session.fails('git_reset', HARD)).toMatch(/^CONFIRMATION_REQUIRED/);
  const confirm_token = tokenOf(await session.call('git_reset', { ...HARD, dry_run: true }));
  await session.call('git_reset', { ...HARD, confirm_token });
  expect(session.elicited.all).toEqual([]);
}

const CASES = ERAS.flatMap((era) => HOSTS.map(([name, elicitation]) => [era, name, elicitation] as const));

describe.each(CASES)('on a %s connection, a host without a user that %s at once', (era: Era, _, elicitation) => {
  it('receives no token by default, and the error names the option for the operator', async () => {
    const top = await changedRepository();
    await using session = await connectProcess(
      { command: process.execPath, args: [BIN, top] },
      { era, answers: { elicitation } },
    );
    expect(await session.fails('git_reset', HARD)).toMatch(/^DECLINED: [^]*\n- a\.txt \(modified\)\n[^]*--confirm token/);
    const { structuredContent } = await session.call('git_reset', { ...HARD, dry_run: true });
    expect(structuredContent).not.toHaveProperty('confirm_token');
    expect(status(top)).toBe('M a.txt');
  });

  it('confirms by token over stdio with --confirm token', async () => {
    const top = await changedRepository();
    const program = { command: process.execPath, args: [BIN, '--confirm', 'token', top] };
    await using session = await connectProcess(program, { era, answers: { elicitation } });
    await confirmByToken(session);
    expect(status(top)).toBe('');
  });

  it('confirms by token over HTTP with --confirm token', async () => {
    const top = await changedRepository();
    await using program = startProgram({
      command: process.execPath,
      args: [BIN, '--confirm', 'token', '--http', '0', top],
    });
    const line = await program.stderr.next((each) => each.includes('serves at'));
    await using session = await connectUrl(line.slice(line.indexOf('http')), { era, answers: { elicitation } });
    await confirmByToken(session);
    expect(status(top)).toBe('');
  });
});
