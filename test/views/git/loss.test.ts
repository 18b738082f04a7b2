import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { openGit } from './open-git.ts';

afterAll(closeBrowser);

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('the view of a possible loss, in the %s era,', (era) => {
  it('shows what a dry run would lose, and confirms it', async () => {
    const { session, git, root, write } = await openGit(era);
    await write('a.txt', 'one\n');
    git('add', '.');
    git('commit', '--message=first');
    await write('a.txt', 'two\n');
    await using view = await show(session, 'git_restore', { paths: ['a.txt'], dry_run: true });
    const { frame } = view;
    await frame.getByText('1 item affected').waitFor();
    await frame.getByRole('button', { name: 'Show uncommitted changes' }).click();
    await frame.getByText('two', { exact: true }).waitFor();
    await expectAccessible(view);
    await takePicture(view, 'loss');
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('two\n');
    await frame.getByRole('button', { name: 'Do it despite these effects' }).click();
    await expect.poll(() => readFile(path.join(root, 'a.txt'), 'utf8')).toBe('one\n');
    await expect.poll(() => view.modelContext.at(-1)).toContain('The user confirmed git_restore');
  });

  it('looks up the losses of a call that needs a confirmation', async () => {
    const { session, git, root, write } = await openGit(era);
    await write('a.txt', 'one\n');
    git('add', '.');
    git('commit', '--message=first');
    await write('a.txt', 'two\n');
    await using view = await show(session, 'git_restore', { paths: ['a.txt'] });
    await view.frame.getByText('1 item affected').waitFor();
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('two\n');
    await view.frame.getByRole('button', { name: 'Do it despite these effects' }).click();
    await expect.poll(() => readFile(path.join(root, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('lists more items than the text, and does nothing after the state changed', async () => {
    const { session, root, write } = await openGit(era, { tools: ['all'] });
    for (let index = 0; index < 30; index += 1) await write(`file ${index}.txt`, 'text\n');
    await using view = await show(session, 'git_clean', { dry_run: true }, { theme: 'dark', width: 320 });
    await view.frame.getByText('30 items affected').waitFor();
    expect(await view.frame.locator('li').count()).toBe(30);
    await expectAccessible(view);
    await write('later.txt', 'text\n');
    await view.frame.getByRole('button', { name: 'Do it despite these effects' }).click();
    await view.frame.getByRole('alert').getByText('PRECONDITION_FAILED').waitFor();
    expect(await readFile(path.join(root, 'file 1.txt'), 'utf8')).toBe('text\n');
  });

  it('lets a client that asks its user ask', async () => {
    const { session, git, root, write } = await openGit(era, {}, { answers: { elicitation: 'decline' } });
    await write('a.txt', 'one\n');
    git('add', '.');
    git('commit', '--message=first');
    await write('a.txt', 'two\n');
    await using view = await show(session, 'git_restore', { paths: ['a.txt'], dry_run: true });
    await view.frame.getByRole('button', { name: 'Do it despite these effects' }).click();
    await view.frame.getByRole('alert').getByText('DECLINED').waitFor();
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('two\n');
  });
});
