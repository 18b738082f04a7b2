import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { hostileData } from './hostile-texts.ts';
import { call, type Request } from './stalls.ts';

/** Creates files whose texts and names are hostile. Returns calls that read and change the files. */
export async function fsScene(root: string): Promise<readonly Request[]> {
  await mkdir(path.join(root, 'names'));
  await writeFile(path.join(root, 'a.txt'), 'one\ntwo\n');
  const requests: Request[] = [];
  for (const [index, [unit, text]] of hostileData().entries()) {
    const file = path.join(root, `${index}.txt`);
    await writeFile(file, `a${text}x\n`);
    const name = unit.replaceAll(/[/\0]/g, '').repeat(200);
    await writeFile(path.join(root, 'names', `${index}-${name.slice(0, 60)}`), 'x\n');
    requests.push(
      call('read_text_file', { path: file }),
      call('get_file_info', { path: file, lineCount: true }),
      call('edit_file', { path: file, edits: [{ oldText: 'x\n', newText: 'y\n' }], dryRun: true }),
      call('write_file', { path: file, content: `a${text}y\n` }),
      call('search_content', { path: file, pattern: 'a', before: 1, after: 1 }),
      call('replace_in_files', { path: file, pattern: unit, replacement: 'b', dryRun: true }),
    );
  }
  const names = path.join(root, 'names');
  return [
    ...requests,
    ...['list_directory', 'list_directory_with_sizes', 'directory_tree'].map((tool) => call(tool, { path: names })),
    call('search_files', { path: root, pattern: '**/*a*' }),
    call('search_content', { path: root, pattern: 'a+x', regex: true }),
  ];
}
