import { ERAS } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { linesWith, openGit } from './open-git.ts';

afterAll(closeBrowser);

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('the view of the status, in the %s era,', (era) => {
  it('stages and unstages hunks and files', async () => {
    const { session, git, write } = await openGit(era);
    await write('lines.txt', linesWith());
    git('add', '.');
    git('commit', '--message=first');
    await write('lines.txt', linesWith({ 5: 'fifth', 30: 'thirtieth' }));
    await write('new.txt', 'new\n');
    await using view = await show(session, 'git_status');
    const { frame } = view;

    await frame.getByRole('button', { name: 'Show lines.txt' }).click();
    await expectAccessible(view);
    await frame.getByRole('button', { name: 'Stage hunk 2 of 2 of lines.txt' }).click();
    await frame.getByText('Done: staged hunk 2 of 2').waitFor();
    expect(git('diff', '--cached')).toContain('+thirtieth');
    expect(git('diff', '--cached')).not.toContain('+fifth');
    expect(view.modelContext.at(-1)).toContain('staged hunk 2 of 2 of lines.txt');
    await takePicture(view, 'status');

    const staged = frame.getByRole('region', { name: 'Staged', exact: true });
    await staged.getByRole('button', { name: 'Show lines.txt' }).click();
    await staged.getByRole('button', { name: 'Unstage hunk 1 of 1 of lines.txt' }).click();
    await frame.getByText('Done: unstaged hunk 1 of 1').waitFor();
    expect(git('diff', '--cached')).toBe('');

    await frame.getByRole('button', { name: 'Stage new.txt' }).click();
    await frame.getByText('Done: staged new.txt').waitFor();
    expect(git('status', '--porcelain')).toContain('A  new.txt');
    await frame.getByRole('button', { name: 'Unstage new.txt' }).click();
    await frame.getByText('Done: unstaged new.txt').waitFor();
    expect(git('status', '--porcelain')).toContain('?? new.txt');
  });

  it('reads all pages of files and hunks', async () => {
    const { session, git, write } = await openGit(era);
    const names = Array.from({ length: 30 }, (_, index) => `a-file-with-a-long-name-${index}.txt`);
    for (const name of names) await write(name, linesWith());
    git('add', '.');
    git('commit', '--message=first');
    for (const name of names) await write(name, linesWith({ 5: 'x'.repeat(1000), 30: 'y'.repeat(1000) }));
    await using view = await show(session, 'git_status');
    await expect.poll(() => view.frame.getByRole('button', { name: /^Show a-file/ }).count()).toBe(30);
    await view.frame.getByRole('button', { name: `Show ${names.at(-1)}` }).click();
    await view.frame.getByRole('button', { name: /^Stage hunk 2 of 2/ }).waitFor();
  });

  it('shows a clean work tree, and offers nothing that is not permitted', async () => {
    const { session, git, write } = await openGit(era, { readOnly: true });
    await write('a.txt', 'one\n');
    git('add', '.');
    git('commit', '--message=first');
    await using view = await show(session, 'git_status', {}, { theme: 'dark', width: 320 });
    await view.frame.getByText('No files have changed.').waitFor();
    await write('a.txt', 'two\n');
    await view.frame.getByRole('button', { name: 'Refresh' }).click();
    await view.frame.getByRole('button', { name: 'Show a.txt' }).click();
    await view.frame.getByText('two', { exact: true }).waitFor();
    expect(await view.frame.getByRole('button', { name: /^Stage/ }).count()).toBe(0);
    await expectAccessible(view);
  });
});
