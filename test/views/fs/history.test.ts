import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { openFiles } from './open-files.ts';

afterAll(closeBrowser);

async function makeChanges(session: Session, file: string): Promise<void> {
  await writeFile(file, 'one\ntwo\nthree\n');
  await session.call('edit_file', { path: file, edits: [{ oldText: 'one', newText: '1' }] });
  await session.call('edit_file', { path: file, edits: [{ oldText: 'two', newText: '2' }] });
}

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('the list of changes, in the %s era,', (era) => {
  it('shows changes, undoes them, and rewinds to a checkpoint', async () => {
    const { session, root } = await openFiles(era);
    const file = path.join(root, 'notes.txt');
    await makeChanges(session, file);
    await using view = await show(session, 'list_changes');
    const { frame } = view;

    await frame.getByRole('textbox', { name: 'New checkpoint' }).fill('before the rewrite');
    await frame.getByRole('button', { name: 'Add' }).click();
    await frame.getByText('Added the checkpoint').waitFor();
    await session.call('edit_file', { path: file, edits: [{ oldText: 'three', newText: '3' }] });
    await frame.getByRole('button', { name: 'Refresh' }).click();
    await frame
      .getByRole('button', { name: /^Show edit_file/ })
      .nth(2)
      .waitFor();
    await frame
      .getByRole('button', { name: /^Show edit_file/ })
      .first()
      .click();
    await frame.getByText('1 hunk in 1 file').waitFor();
    await expectAccessible(view);
    await takePicture(view, 'history');

    await frame.getByRole('button', { name: /Rewind to here: checkpoint before the rewrite/ }).click();
    await frame.getByText('Would take back 1 change').waitFor();
    expect(await readFile(file, 'utf8')).toBe('1\n2\n3\n');
    await frame.getByRole('button', { name: 'Rewind', exact: true }).click();
    await frame.getByText('Took back 1 change').waitFor();
    expect(await readFile(file, 'utf8')).toBe('1\n2\nthree\n');
    await expectAccessible(view);

    await frame.getByRole('button', { name: /^Undo rewind/ }).click();
    await frame.getByText(/^Undid rewind/).waitFor();
    expect(await readFile(file, 'utf8')).toBe('1\n2\n3\n');
  });

  it('shows earlier changes on request', async () => {
    const { session, root } = await openFiles(era);
    const file = path.join(root, 'notes.txt');
    for (let index = 0; index < 25; index += 1) await session.call('write_file', { path: file, content: `${index}` });
    await using view = await show(session, 'list_changes');
    await view.frame.getByRole('button', { name: 'Show earlier changes' }).click();
    await expect.poll(() => view.frame.getByRole('button', { name: /^Undo write_file/ }).count()).toBe(25);
  });
});
