import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover, recoveryOf, tokenOf } from '../../fixtures/confirming.ts';
import { connectGit, git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

async function changedProject(): Promise<string> {
  const top = await repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
  await writeIn(top, 'a.txt', 'mine\n');
  return top;
}

const HARD = { mode: 'hard' };

function read(top: string): Promise<string> {
  return readFile(path.join(top, 'a.txt'), 'utf8');
}

async function tokenFor(session: Session, tool: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const { structuredContent } = await session.call(tool, { ...input, dry_run: true });
  return tokenOf({ structuredContent });
}

describe.each(ERAS)('an operation that may lose data, on a %s connection,', (era) => {
  it('runs after the user has seen the loss and accepted', async () => {
    const top = await changedProject();
    await using session = await connectGit({ directories: [top] }, era, CONFIRMS);
    const head = git(top, ['rev-parse', 'HEAD']).trim();
    const { structuredContent } = await session.call('git_reset', HARD);
    const message = session.elicited.all[0]?.message ?? '';
    expect(message.split('\n')).toEqual([
      `Reset main from ${head.slice(0, 12)} to ${head.slice(0, 12)}, and discard all changes to tracked files?`,
      '- a.txt (modified)',
      `To undo it: git_restore {"paths":["."],"source":"KEPT","staged":true,"worktree":true}, where KEPT is the commit named in the result`,
    ]);
    expect(await read(top)).toBe('one\ntwo\n');
    const [, kept = ''] = /"source":"([0-9a-f]{40})"/.exec(recoveryOf({ structuredContent })) ?? [];
    expect(git(top, ['for-each-ref', '--format=%(objectname)', 'refs/mcp-backup']).trim()).toBe(kept);
    await recover(session, { structuredContent });
    expect(await read(top)).toBe('mine\n');
  });

  it.each([
    ['declines', 'decline' as const, 'the user declined'],
    ['closes the question', 'cancel' as const, 'the user closed the dialogue without confirming'],
    ['sends the form without agreeing', { confirm: false }, 'the user declined'],
  ])('does not run if the user %s, and returns no token', async (_, elicitation, reason) => {
    const top = await changedProject();
    await using session = await connectGit({ directories: [top] }, era, { answers: { elicitation } });
    const text = await session.fails('git_reset', HARD);
    expect(text).toContain(`DECLINED: ${reason}; nothing was done. The question was: Reset main from `);
    expect(text).toContain('\n- a.txt (modified)\nTo undo it: git_restore {"paths":["."]');
    const { structuredContent } = await session.call('git_reset', { ...HARD, dry_run: true });
    expect(structuredContent).not.toHaveProperty('confirm_token');
    expect(structuredContent).toMatchObject({ next: expect.stringContaining('The user declined this') });
    expect(await read(top)).toBe('mine\n');
    expect(git(top, ['for-each-ref', 'refs/mcp-backup'])).toBe('');
  });

  it.each([
    ['no questions', {}],
    ['only questions that open a page', { capabilities: { elicitation: { url: {} } } }],
  ])('does not run for a client that supports %s, and the error lists the loss', async (_, options) => {
    const top = await changedProject();
    await using session = await connectGit({ directories: [top] }, era, options);
    const text = await session.fails('git_reset', HARD);
    expect(text).toMatch(/^CONFIRMATION_REQUIRED: this operation needs confirmation\. Reset main/);
    expect(text).toContain('- a.txt (modified)\nTo undo it: git_restore {"paths":["."]');
    expect(text).toContain('dry_run: true');
    expect(await read(top)).toBe('mine\n');
  });

  it('is shown by a dry run, which changes nothing, and is run with the token', async () => {
    const top = await changedProject();
    await using session = await connectGit({ directories: [top] }, era);
    const index = await readFile(path.join(top, '.git/index'));
    const { structuredContent, content } = await session.call('git_reset', { ...HARD, dry_run: true });
    expect(structuredContent).toMatchObject({
      lost: ['a.txt (modified)'],
      total: 1,
      recover_with: expect.stringContaining('"source":"KEPT"'),
    });
    expect(content).toMatchObject([
      {
        text: expect.stringMatching(
          /^Dry run: nothing was done\.\nReset main .*\n- a\.txt \(modified\)\nTo undo it: .*\n.*confirm_token: \S+$/,
        ),
      },
    ]);
    expect(await read(top)).toBe('mine\n');
    expect(await readFile(path.join(top, '.git/index'))).toEqual(index);
    expect(git(top, ['for-each-ref', 'refs/mcp-backup'])).toBe('');
    await session.call('git_reset', { ...HARD, confirm_token: tokenOf({ structuredContent }) });
    expect(await read(top)).toBe('one\ntwo\n');
  });

  it.each([
    ['HEAD moved', (top: string) => git(top, ['commit', '--quiet', '--allow-empty', '--message=x'])],
    ['HEAD is on another branch', (top: string) => git(top, ['switch', '--quiet', '--create', 'other'])],
    ['the index changed', (top: string) => git(top, ['add', 'a.txt'])],
    ['the target moved', (top: string) => git(top, ['branch', '--force', 'target', 'HEAD~1'])],
    ['a file changed again', (top: string) => writeIn(top, 'a.txt', 'newer\n')],
    ['an untracked file came into the way', (top: string) => writeIn(top, 'gone.txt', 'x')],
  ])('does not run with a token after %s', async (_, change) => {
    const top = await changedProject();
    git(top, ['branch', 'target', git(top, ['commit-tree', '-p', 'HEAD', '-m', 'x', treeWith(top, 'gone.txt')]).trim()]);
    await using session = await connectGit({ directories: [top] }, era);
    const input = { ...HARD, target: 'target' };
    const token = await tokenFor(session, 'git_reset', input);
    await change(top);
    const before = await read(top);
    expect(await session.fails('git_reset', { ...input, confirm_token: token })).toMatch(/^PRECONDITION_FAILED/);
    expect(await read(top)).toBe(before);
  });

  it('does not run with a token of other arguments, another tool or repository, or with a forged token', async () => {
    const top = await changedProject();
    const other = await changedProject();
    await using session = await connectGit({ directories: [top, other] }, era);
    const here = { ...HARD, repo_path: top };
    const token = await tokenFor(session, 'git_reset', here);
    for (const input of [
      { ...here, target: 'HEAD~1' },
      { ...HARD, repo_path: other },
    ])
      expect(await session.fails('git_reset', { ...input, confirm_token: token })).toMatch(/^PRECONDITION_FAILED/);
    expect(await session.fails('git_restore', { paths: ['a.txt'], repo_path: top, confirm_token: token })).toMatch(
      /^INVALID_ARGUMENTS: the confirm_token is unknown/,
    );
    for (const forged of ['', 'x', `${token}x`, token.slice(0, -4)])
      expect(await session.fails('git_reset', { ...here, confirm_token: forged }), forged).toMatch(
        /^INVALID_ARGUMENTS: the confirm_token/,
      );
    expect(await read(top)).toBe('mine\n');
    expect(await read(other)).toBe('mine\n');
  });

  it('requests confirmation again if the repository changes while the user decides, and runs only if the user accepts again', async () => {
    const top = await changedProject();
    const answers = [
      async () => {
        await writeIn(top, 'b.txt', 'new\n');
        git(top, ['add', 'b.txt']);
        return { confirm: true };
      },
      () => 'decline' as const,
    ];
    const elicitation = async () => (await answers.shift()?.()) ?? 'cancel';
    await using session = await connectGit({ directories: [top] }, era, { answers: { elicitation } });
    expect(await session.fails('git_reset', HARD)).toMatch(/^DECLINED/);
    expect(session.elicited.all.map(({ message }) => message.includes('b.txt (staged added)'))).toEqual([false, true]);
    expect(await read(top)).toBe('mine\n');
  });

  it('runs once if two equal calls are confirmed', async () => {
    const top = await changedProject();
    git(top, ['branch', 'target', 'HEAD~1']);
    await using session = await connectGit({ directories: [top] }, era);
    const input = { ...HARD, target: 'target' };
    const confirm_token = await tokenFor(session, 'git_reset', input);
    const call = () => session.client.callTool({ name: 'git_reset', arguments: { ...input, confirm_token } });
    const results = await Promise.all([call(), call()]);
    expect(results.filter(({ isError }) => isError !== true)).toHaveLength(1);
    expect(results.find(({ isError }) => isError === true)?.content).toMatchObject([
      { text: expect.stringMatching(/^PRECONDITION_FAILED/) },
    ]);
  });

  it('runs without confirmation if nothing would be lost', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.text('git_reset', { ...HARD, dry_run: true })).toMatch(
      /^Dry run: nothing was done\.\nNothing would be lost\nTo proceed, repeat the call without dry_run$/,
    );
    expect(await session.text('git_reset', HARD)).toMatch(/^HEAD is at /);
  });
});

describe('a question', () => {
  it('shows each hostile name as one visible line, and counts names beyond the limit', async () => {
    const names = [
      'a\u202Etxt',
      'b\nConfirm: nothing is lost',
      'c\u001B[2J',
      ...Array.from({ length: 30 }, (_, number) => `n${number}`),
    ];
    const top = await repositoryOf([['Begin', Object.fromEntries(names.map((name) => [name, 'x']))]]);
    for (const name of names) await writeIn(top, name, 'changed');
    await using session = await connectGit({ directories: [top] });
    const lines = (await session.text('git_reset', { ...HARD, dry_run: true })).split('\n');
    expect(lines).toContain(String.raw`- a\u{202e}txt (modified)`);
    expect(lines).toContain(String.raw`- b\u{a}Confirm: nothing is lost (modified)`);
    expect(lines).toContain(String.raw`- c\u{1b}[2J (modified)`);
    expect(lines).toContain('- and 13 more');
  });
});

/** Creates the tree of HEAD with an additional empty file. */
function treeWith(top: string, name: string): string {
  const blob = git(top, ['hash-object', '-w', '--stdin'], { input: '' }).trim();
  return git(top, ['mktree'], { input: `${git(top, ['ls-tree', 'HEAD'])}100644 blob ${blob}\t${name}\n` }).trim();
}
