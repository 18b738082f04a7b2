import { chmod, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CONFIRMS, recover, tokenOf } from '../../fixtures/confirming.ts';
import { createRandom, edit, EDITS_PER_FILE, writeLines } from '../../fixtures/random.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, writeIn } from '../../fixtures/temporary.ts';

const BEFORE = Array.from({ length: 30 }, (_, line) => `line ${line + 1}\n`).join('');
const CHANGED = BEFORE.replace('line 3\n', 'three\nmore\n').replace('line 25\n', 'twenty-five\n');

async function changedFile(name = 'a.txt'): Promise<string> {
  const top = await repositoryOf([['Begin', { [name]: BEFORE }]]);
  await writeIn(top, name, CHANGED);
  return top;
}

async function idsOf(session: Session, input: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const { _meta } = await session.call('git_hunks', { limit: 1000, ...input });
  return (_meta as { hunks: readonly { id: string }[] }).hunks.map(({ id }) => id);
}

function read(top: string, name = 'a.txt'): Promise<string> {
  return readFile(path.join(top, name), 'utf8');
}

describe.each(ERAS)('git_discard_hunks, on a %s connection,', (era) => {
  it('discards one hunk after the user confirmed, and restores it', async () => {
    const top = await changedFile();
    git(top, ['add', 'a.txt']);
    await writeIn(top, 'a.txt', CHANGED.replace('line 10\n', 'ten\n').replace('line 20\n', 'twenty\n'));
    const before = await read(top);
    await using session = await connectGit({ directories: [top] }, era, CONFIRMS);
    const [first = ''] = await idsOf(session);
    const result = await session.call('git_discard_hunks', { hunks: [first] });
    expect(result.structuredContent).toMatchObject({ files: [{ path: 'a.txt', hunks: 1 }] });
    expect(await read(top)).toBe(CHANGED.replace('line 20\n', 'twenty\n'));
    expect(git(top, ['show', ':a.txt'])).toBe(CHANGED);
    await recover(session, result);
    expect(await read(top)).toBe(before);
    expect(git(top, ['show', ':a.txt'])).toBe(CHANGED);
  });

  it('discards single lines', async () => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era, CONFIRMS);
    const [first = ''] = await idsOf(session);
    expect(await session.text('git_discard_hunks', { hunks: [`${first}:5`] })).toMatch(
      /^Discarded 1 hunk of a\.txt\nTo undo: git_restore /,
    );
    expect(await read(top)).toBe(CHANGED.replace('more\n', ''));
  });

  it('changes nothing without a confirmation, and lists what would be lost', async () => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era);
    const hunks = await idsOf(session);
    expect(await session.fails('git_discard_hunks', { hunks })).toMatch(/^CONFIRMATION_REQUIRED/);
    const preview = await session.call('git_discard_hunks', { hunks, dry_run: true });
    expect(preview.structuredContent).toMatchObject({ lost: ['a.txt at line 1 (+2 -1)', 'a.txt at line 23 (+1 -1)'] });
    expect(await read(top)).toBe(CHANGED);
    await session.call('git_discard_hunks', { hunks, confirm_token: tokenOf(preview) });
    expect(await read(top)).toBe(BEFORE);
  });

  it('discards nothing if a file changed after the dry run', async () => {
    const top = await changedFile();
    await using session = await connectGit({ directories: [top] }, era);
    const [first = ''] = await idsOf(session);
    const token = tokenOf(await session.call('git_discard_hunks', { hunks: [first], dry_run: true }));
    await writeIn(top, 'a.txt', CHANGED.replace('twenty-five', '25'));
    expect(await session.fails('git_discard_hunks', { hunks: [first], confirm_token: token })).toMatch(/^PRECONDITION_FAILED/);
    await writeIn(top, 'a.txt', CHANGED.replace('three', 'THREE'));
    expect(await session.fails('git_discard_hunks', { hunks: [first], dry_run: true })).toMatch(/^HUNK_CHANGED/);
    expect(await read(top)).toBe(CHANGED.replace('three', 'THREE'));
  });
});

describe('a discarded hunk', () => {
  it.each(['with space.txt', 'qu"ote\\.txt', 'tab\there.txt', 'é.txt', '-dash.txt', '*.txt'])(
    'can be of the file %j',
    async (name) => {
      const top = await changedFile(name);
      await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
      const result = await session.call('git_discard_hunks', { hunks: await idsOf(session) });
      expect(git(top, ['status', '--porcelain'])).toBe('');
      await recover(session, result);
      expect(await read(top, name)).toBe(CHANGED);
    },
  );

  it('of a deleted file restores the file with its mode', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': BEFORE }]]);
    await chmod(path.join(top, 'a.txt'), 0o755);
    git(top, ['commit', '--quiet', '--all', '--message=Mode']);
    await rm(path.join(top, 'a.txt'));
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    await session.call('git_discard_hunks', { hunks: await idsOf(session) });
    expect(git(top, ['status', '--porcelain'])).toBe('');
    expect((await stat(path.join(top, 'a.txt'))).mode & 0o111).not.toBe(0);
  });

  it('of a file that is only intended to be added deletes the file, which its call restores', async () => {
    const top = await repositoryOf([['Begin', { other: 'x\n' }]]);
    await writeIn(top, 'a.txt', 'one\ntwo\n');
    git(top, ['add', '--intent-to-add', 'a.txt']);
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const [id = ''] = await idsOf(session);
    await session.call('git_discard_hunks', { hunks: [`${id}:1`] });
    expect(await read(top)).toBe('two\n');
    const result = await session.call('git_discard_hunks', { hunks: await idsOf(session) });
    expect(git(top, ['status', '--porcelain'])).toBe(' D a.txt\n');
    await recover(session, result);
    expect(await read(top)).toBe('two\n');
  });

  it('keeps the line endings of a file with CRLF', async () => {
    const top = await repositoryOf([['Begin', { '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\ntwo\n' }]]);
    await writeFile(path.join(top, 'a.txt'), 'one\r\nTWO\r\nthree\r\n');
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const [id = ''] = await idsOf(session);
    await session.call('git_discard_hunks', { hunks: [`${id}:4`] });
    expect(await read(top)).toBe('one\r\nTWO\r\n');
  });

  it('is refused if it changes a symbolic link, and writes no file behind a link', async () => {
    const top = await repositoryOf([['Begin', { 'd/a.txt': BEFORE, 'b.txt': BEFORE }]]);
    await symlink('b.txt', path.join(top, 'link'));
    git(top, ['add', 'link']);
    git(top, ['commit', '--quiet', '--message=Link']);
    await rm(path.join(top, 'link'));
    await symlink('d/a.txt', path.join(top, 'link'));
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    expect(await session.fails('git_discard_hunks', { hunks: await idsOf(session, { paths: ['link'] }) })).toMatch(
      /^INVALID_ARGUMENTS: hunk [0-9a-f]{10} changes a symbolic link\n.*git_restore/,
    );
    const outside = await temporaryDirectory();
    await writeFile(path.join(outside, 'a.txt'), CHANGED);
    await writeIn(top, 'd/a.txt', CHANGED);
    const hunks = await idsOf(session, { paths: ['d/a.txt'] });
    await rm(path.join(top, 'd'), { recursive: true });
    await symlink(outside, path.join(top, 'd'));
    expect(await session.fails('git_discard_hunks', { hunks })).toMatch(/^(?:HUNK_CHANGED|INVALID_PATH|PATH_OUTSIDE_ROOTS)/);
    expect(await readFile(path.join(outside, 'a.txt'), 'utf8')).toBe(CHANGED);
  });

  it('leaves what git leaves, for 400 random edits', { timeout: 120_000 }, async () => {
    const top = await repositoryOf([['Begin', { file: '\n' }]]);
    git(top, ['config', 'core.autocrlf', 'false']);
    await using session = await connectGit({ directories: [top] }, 'modern', CONFIRMS);
    const random = createRandom(3);
    for (let round = 0; round < 400 / EDITS_PER_FILE; round += 1) {
      const before = writeLines(random, 200);
      await writeIn(top, 'file', `${before.join('\n')}\n`);
      git(top, ['commit', '--quiet', '--all', '--message=x', '--allow-empty']);
      await writeIn(top, 'file', `${edit(random, before).join('\n')}\n`);
      // Unstaging the same hunks from the index gives the expected content. Another test compares unstaging with plain git.
      const places = (await idsOf(session)).map((_, index) => index).filter(() => random(2) === 0);
      if (places.length === 0) continue;
      git(top, ['add', 'file']);
      const staged = await idsOf(session, { staged: true });
      await session.call('git_unstage_hunks', { hunks: places.map((place) => staged[place]) });
      const wanted = git(top, ['show', ':file']);
      git(top, ['reset', '--quiet']);
      const unstaged = await idsOf(session);
      await session.call('git_discard_hunks', { hunks: places.map((place) => unstaged[place]) });
      expect(await read(top, 'file')).toBe(wanted);
    }
  });
});
