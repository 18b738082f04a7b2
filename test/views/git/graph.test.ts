import { ERAS } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { openGit } from './open-git.ts';

afterAll(closeBrowser);

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('the graph of commits, in the %s era,', (era) => {
  it.each(['git_log', 'git_branch'])('of %s shows branches and the diffs of commits', async (tool) => {
    const { session, git, write } = await openGit(era);
    const commit = async (name: string): Promise<void> => {
      await write(`${name}.txt`, `${name}\n`);
      git('add', '.');
      git('commit', `--message=Add ${name}`);
    };
    await commit('first');
    git('switch', '--create', 'topic');
    await commit('second');
    git('switch', 'main');
    await commit('third');
    git('merge', 'topic', '--message=Merge topic');
    git('tag', 'v1');
    git('switch', '--create', 'next', 'HEAD~1');
    await commit('fourth');
    await using view = await show(session, tool);
    const { frame } = view;
    await frame.getByText('Merge topic').waitFor();
    await frame.getByText('HEAD -> next').waitFor();
    await frame.getByText('tag: v1').waitFor();
    expect(await frame.locator('li').count()).toBe(5);
    await expectAccessible(view);
    await frame.getByRole('button', { name: /Add second/ }).click();
    await frame.getByText('second.txt (new)').waitFor();
    await expectAccessible(view);
    if (tool === 'git_log') await takePicture(view, 'graph');
  });

  it('reads earlier commits on request', async () => {
    const { session, git } = await openGit(era);
    for (let index = 0; index < 60; index += 1) git('commit', '--allow-empty', `--message=commit ${index}`);
    await using view = await show(session, 'git_log', {}, { theme: 'dark', width: 320 });
    await expect.poll(() => view.frame.locator('li').count()).toBe(50);
    await view.frame.getByRole('button', { name: 'Show earlier commits' }).click();
    await expect.poll(() => view.frame.locator('li').count()).toBe(60);
    await expectAccessible(view);
  });
});
