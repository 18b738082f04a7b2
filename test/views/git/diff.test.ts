import { ERAS } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { linesWith, openGit } from './open-git.ts';

afterAll(closeBrowser);

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('the view of a diff, in the %s era,', (era) => {
  it('shows a commit, a range and the work tree', async () => {
    const { session, git, write } = await openGit(era);
    await write('lines.txt', linesWith());
    git('add', '.');
    git('commit', '--message=first');
    await write('lines.txt', linesWith({ 5: 'fifth' }));
    git('mv', 'lines.txt', 'rows.txt');
    await write('rows.txt', linesWith({ 5: 'fifth' }));
    git('commit', '--all', '--message=Rename the file\n\nAnd change a line.');
    await write('rows.txt', linesWith({ 5: 'fifth', 9: 'ninth' }));
    {
      await using view = await show(session, 'git_show', { revision: 'HEAD' });
      await view.frame.getByText('And change a line.').waitFor();
      await view.frame.getByText('lines.txt → rows.txt').waitFor();
      await view.frame.locator('mark', { hasText: 'fifth' }).waitFor();
      await expectAccessible(view);
      await takePicture(view, 'diff');
    }
    {
      await using view = await show(session, 'git_diff', { target: 'HEAD~1..HEAD' }, { theme: 'dark' });
      await view.frame.getByText('lines.txt → rows.txt').waitFor();
      await expectAccessible(view);
    }
    await using view = await show(session, 'git_diff_unstaged');
    await view.frame.getByText('ninth').waitFor();
  });

  it('reads the pages of a long diff', async () => {
    const { session, git, write } = await openGit(era);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await write(name, linesWith());
    git('add', '.');
    await using view = await show(session, 'git_diff_staged', { max_bytes: 700 });
    await view.frame.getByText('a.txt (new)').waitFor();
    const more = view.frame.getByRole('button', { name: 'Show more of the difference' });
    for (const name of ['b.txt', 'c.txt']) {
      await more.click();
      await view.frame.getByText(`${name} (new)`).waitFor();
    }
    expect(await more.count()).toBe(0);
  });
});
