import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ERAS } from '@org/mcp-testing';
import { afterAll, describe, expect, it } from 'vitest';

import { closeBrowser, expectAccessible, HAS_CHROMIUM, show, takePicture } from '../support/shown.ts';
import { openFiles } from './open-files.ts';

afterAll(closeBrowser);

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8Dwn4GBgYGJgYGBgQEAHR4CAqZZ6nEAAAAASUVORK5CYII=';

async function createFiles(root: string): Promise<void> {
  await mkdir(path.join(root, 'src', 'parts'), { recursive: true });
  await writeFile(path.join(root, 'README.md'), '# Notes\n\nWater the plants.\n');
  await writeFile(path.join(root, 'src', 'main.ts'), 'export const answer = 42;\n');
  await writeFile(path.join(root, 'src', 'parts', 'large.txt'), 'x'.repeat(300_000));
  await writeFile(path.join(root, 'dot.png'), Buffer.from(PNG, 'base64'));
}

describe.skipIf(!HAS_CHROMIUM).each(ERAS)('the tree of files, in the %s era,', (era) => {
  it.each(['list_directory', 'list_directory_with_sizes', 'directory_tree'])(
    'opens directories and shows files of %s',
    async (tool) => {
      const { session, root } = await openFiles(era);
      await createFiles(root);
      await using view = await show(session, tool, { path: root });
      const { frame } = view;
      await frame.getByRole('treeitem', { name: 'src' }).click();
      await frame.getByText('main.ts').click();
      await frame.getByText('export const answer = 42;').waitFor();
      await frame.getByText('26 B').first().waitFor();
      await expectAccessible(view);
      await frame.getByText('parts').click();
      await frame.getByText('293 KiB').waitFor();
      if (tool === 'list_directory') await takePicture(view, 'tree');
      await frame.getByText('dot.png').click();
      const image = frame.getByRole('img');
      await image.waitFor();
      await expect.poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)).toBe(2);
    },
  );

  it('is used with the keyboard alone', async () => {
    const { session, root } = await openFiles(era);
    await createFiles(root);
    await using view = await show(session, 'list_directory', { path: root }, { theme: 'dark', width: 320 });
    const { frame, page } = view;
    await frame.getByText('README.md').waitFor();
    await frame.getByRole('treeitem').first().focus();
    for (const key of ['End', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key);
      if (key === 'ArrowRight') await frame.getByText('main.ts').waitFor();
    }
    await page.keyboard.press('Enter');
    await frame.getByText('export const answer = 42;').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await frame.getByRole('treeitem', { expanded: false, name: 'src' }).waitFor();
    await expectAccessible(view);
  });

  it('shows the error of a file that cannot be read', async () => {
    const { session, root } = await openFiles(era);
    await writeFile(path.join(root, 'binary.bin'), Buffer.from([0, 1, 2, 255, 254, 0]));
    await using view = await show(session, 'list_directory', { path: root });
    await view.frame.getByText('binary.bin').click();
    await view.frame.getByRole('alert').getByText('BINARY_FILE').waitFor();
  });
});
