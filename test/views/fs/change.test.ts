import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Era, type Session } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { openFiles } from './open-files.ts';
import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';

afterAll(closeBrowser);

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
const EDITS = [
  { oldText: 'line 10\n', newText: 'tenth line\n' },
  { oldText: 'line 30\n', newText: 'thirtieth line\nand one more\n' },
  { oldText: 'line 50\n', newText: '' },
];

async function open(era: Era): Promise<{ readonly session: Session; readonly root: string; readonly file: string }> {
  const { session, root } = await openFiles(era);
  const file = path.join(root, 'lines.txt');
  await writeFile(file, `${LINES.join('\n')}\n`);
  return { session, root, file };
}

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('the view of an edit, in the %s era,', (era) => {
  it('refuses, accepts and edits hunks, and takes these actions back', async () => {
    const { session, file } = await open(era);
    await using view = await show(session, 'edit_file', { path: file, edits: EDITS });
    const { frame } = view;
    await frame.getByText('3 hunks in 1 file').waitFor();
    await expectAccessible(view);
    await takePicture(view, 'change');

    await frame.getByRole('button', { name: /Refuse hunk 2 of 3/ }).click();
    await frame.getByText(/^Refused hunk 2 of 3/).waitFor();
    expect(await readFile(file, 'utf8')).toContain('line 30\nline 31');
    expect(await readFile(file, 'utf8')).toContain('tenth line\n');
    expect(view.modelContext.at(-1)).toContain('The user refused hunk 2 of 3');

    await frame.getByRole('button', { name: /Take back: the refusal of hunk 2/ }).click();
    await frame.getByText('3 hunks in 1 file').waitFor();
    expect(await readFile(file, 'utf8')).toContain('thirtieth line\nand one more\nline 31');

    await frame.getByRole('button', { name: /Edit hunk 1/ }).click();
    const lines = frame.getByRole('textbox');
    await lines.fill((await lines.inputValue()).replace('tenth line', 'line ten'));
    await frame.getByRole('button', { name: /Save hunk 1/ }).click();
    await frame.getByText(/^Saved hunk 1/).waitFor();
    expect(await readFile(file, 'utf8')).toContain('line 9\nline ten\nline 11\n');

    await frame.getByRole('button', { name: /Accept hunk 3/ }).click();
    await frame.getByText(/^Accepted: hunk 3/).waitFor();

    await frame.getByRole('button', { name: 'Refuse all' }).click();
    // The file was edited since, so the journal refuses to lose that edit.
    await frame.getByRole('alert').getByText('CONFLICT').waitFor();
  });

  it.each([
    ['is cut in the view', 'x'.repeat(2000)],
    ['contains a carriage return', 'a\rb'],
    ['has another line ending', 'a\r'],
  ])('does not edit a hunk with a line that %s', async (_, line) => {
    const { session, file } = await open(era);
    await writeFile(file, `line 9\n${line}\nline 10\n`);
    await using view = await show(session, 'edit_file', { path: file, edits: EDITS.slice(0, 1) });
    await view.frame.getByRole('button', { name: /Edit hunk 1/ }).click();
    await view.frame.getByText('The hunk has lines that cannot be edited here').waitFor();
  });

  it('keeps the line endings of a file when it edits a hunk', async () => {
    const { session, file } = await open(era);
    await writeFile(file, 'line 9\r\nline 10\r\nline 11\r\n');
    await using view = await show(session, 'edit_file', { path: file, edits: EDITS.slice(0, 1) });
    await view.frame.getByRole('button', { name: /Edit hunk 1/ }).click();
    const lines = view.frame.getByRole('textbox');
    await lines.fill((await lines.inputValue()).replace('tenth', 'last'));
    await view.frame.getByRole('button', { name: /Save hunk 1/ }).click();
    await view.frame.getByText(/^Saved hunk 1/).waitFor();
    expect(await readFile(file, 'utf8')).toBe('line 9\r\nlast line\r\nline 11\r\n');
  });

  it('undoes the whole change', async () => {
    const { session, file } = await open(era);
    await using view = await show(session, 'edit_file', { path: file, edits: EDITS });
    await view.frame.getByRole('button', { name: 'Refuse all' }).click();
    await view.frame.getByText('The whole change was undone.').waitFor();
    expect(await readFile(file, 'utf8')).toBe(`${LINES.join('\n')}\n`);
    await view.frame.getByText('as before the change').waitFor();
  });

  it('makes the change of a dry run', async () => {
    const { session, file } = await open(era);
    await using view = await show(session, 'edit_file', { path: file, edits: EDITS, dryRun: true }, { theme: 'dark' });
    await view.frame.getByText('Planned changes').waitFor();
    await expectAccessible(view);
    expect(await readFile(file, 'utf8')).toBe(`${LINES.join('\n')}\n`);
    await view.frame.getByRole('button', { name: 'Make the changes' }).click();
    await view.frame.getByText('3 hunks in 1 file').waitFor();
    expect(await readFile(file, 'utf8')).toContain('tenth line\n');
  });

  it('shows a replacement in several files', async () => {
    const { session, root, file } = await open(era);
    const other = path.join(root, 'other.txt');
    await writeFile(other, 'line 1\r\nline 20\r\n');
    await using view = await show(
      session,
      'replace_in_files',
      { path: root, pattern: 'line 20', replacement: 'row 20' },
      { width: 320 },
    );
    await view.frame.getByText('2 hunks in 2 files').waitFor();
    await expectAccessible(view);
    await view.frame.getByRole('button', { name: /Refuse hunk 1 of 1 of .*other/ }).click();
    await view.frame.getByText(/^Refused hunk 1/).waitFor();
    expect(await readFile(other, 'utf8')).toBe('line 1\r\nline 20\r\n');
    expect(await readFile(file, 'utf8')).toContain('row 20');
  });
});
