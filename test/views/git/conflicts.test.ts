import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Era } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { linesWith, openGit, type OpenedGit } from './open-git.ts';

afterAll(closeBrowser);

async function openConflict(era: Era, end = '\n', style = 'merge', name = 'lines.txt'): Promise<OpenedGit> {
  const opened = await openGit(era);
  const { git, write } = opened;
  const text = (replaced: Readonly<Record<number, string>>): string => linesWith(replaced).replaceAll('\n', end);
  git('config', 'merge.conflictStyle', style);
  await write(name, text({}));
  git('add', '.');
  git('commit', '--message=first');
  git('switch', '--create', 'topic');
  await write(name, text({ 5: 'topic five', 30: 'topic thirty' }));
  git('commit', '--all', '--message=topic');
  git('switch', 'main');
  await write(name, text({ 5: 'main five', 30: 'main thirty' }));
  git('commit', '--all', '--message=main');
  expect(() => git('merge', 'topic')).toThrow();
  return opened;
}

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('the view of conflicts, in the %s era,', (era) => {
  it('resolves each conflict by one of its sides, and takes choices back', async () => {
    const { session, git, root } = await openConflict(era);
    await using view = await show(session, 'git_conflicts');
    const { frame } = view;
    const read = (): Promise<string> => readFile(path.join(root, 'lines.txt'), 'utf8');
    await frame.getByText('main five').waitFor();
    await expectAccessible(view);
    await takePicture(view, 'conflicts');

    await frame.getByRole('button', { name: 'Use ours: conflict 1 of 2 in lines.txt' }).click();
    await frame.getByText('Chose ours at line 5').waitFor();
    expect(await read()).toContain('line 4\nmain five\nline 6');
    await frame.getByRole('button', { name: /^Take back/ }).click();
    await frame.getByText('Took back ours at line 5').waitFor();
    expect(await read()).toContain('<<<<<<< HEAD\nmain five\n=======\ntopic five\n>>>>>>> topic\n');

    await frame.getByRole('button', { name: 'Use theirs: conflict 1 of 2 in lines.txt' }).click();
    await frame.getByText('Chose theirs at line 5').waitFor();
    expect(await frame.getByRole('button', { name: /^Mark as resolved/ }).isDisabled()).toBe(true);
    await frame.getByRole('button', { name: 'Use both, ours first: conflict 1 of 1 in lines.txt' }).click();
    await frame.getByText(/^Chose both/).waitFor();
    expect(await read()).toBe(linesWith({ 5: 'topic five', 30: 'main thirty\ntopic thirty' }));
    await frame.getByRole('button', { name: /^Mark as resolved/ }).click();
    await frame.getByText('No conflicts').waitFor();
    expect(git('status', '--porcelain')).toBe('M  lines.txt\n');
    expect(view.modelContext.at(-1)).toContain('marked lines.txt as resolved');
  });

  it.each([
    ['CRLF', '\r\n', 'merge', 'lines.txt'],
    ['the common ancestor', '\n', 'diff3', 'lines.txt'],
    ['a name with spaces, quotes and other letters', '\n', 'merge', 'a "b" ü.txt'],
  ])('keeps all other bytes: %s', async (_, end, style, name) => {
    const { session, root } = await openConflict(era, end, style, name);
    await using view = await show(session, 'git_conflicts', {}, { theme: 'dark', width: 320 });
    for (const position of ['1 of 2', '1 of 1']) {
      await view.frame.getByRole('button', { name: `Use theirs: conflict ${position}` }).click();
      await view.frame.getByText(/^Chose theirs/).waitFor();
    }
    const expected = linesWith({ 5: 'topic five', 30: 'topic thirty' }).replaceAll('\n', end);
    await expect.poll(() => readFile(path.join(root, name), 'utf8')).toBe(expected);
    await expectAccessible(view);
  });

  it('changes nothing if the file was edited since', async () => {
    const { session, root, write } = await openConflict(era);
    await using view = await show(session, 'git_conflicts');
    await view.frame.getByText('main five').waitFor();
    const edited = (await readFile(path.join(root, 'lines.txt'), 'utf8')).replace('main five', 'edited');
    await write('lines.txt', edited);
    await view.frame.getByRole('button', { name: 'Use ours: conflict 1 of 2 in lines.txt' }).click();
    await view.frame.getByRole('alert').getByText('PATCH_FAILED').waitFor();
    expect(await readFile(path.join(root, 'lines.txt'), 'utf8')).toBe(edited);
  });
});
