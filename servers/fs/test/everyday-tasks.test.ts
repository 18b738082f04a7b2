import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { mcpFs } from './fixtures/mcp-fs.ts';
import { temporaryDirectory, temporaryState } from './fixtures/temporary.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{\n  "name": "app",\n  "version": "1.0.0"\n}\n',
  'src/app.ts': 'import { port } from "./config.ts";\n\nexport function startServer(): void {\n  listen(port);\n}\n',
  'src/config.ts': 'export const port = 80;\r\nexport const host = "localhost";\r\n',
  'test/app.test.ts': 'import { startServer } from "../src/app.ts";\n\nstartServer();\n',
  'docs/notes.md': '# Notes\n\n- first\n',
  '.gitignore': 'node_modules\n',
  'node_modules/lib/index.js': 'startServer();\n',
};

async function project(): Promise<string> {
  const directory = await temporaryDirectory();
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
    await writeFile(path.join(directory, name), content);
  }
  await writeFile(path.join(directory, 'server.log'), Array.from({ length: 5000 }, (_, line) => `line ${line}\n`).join(''));
  return directory;
}

/** An everyday task: the calls of a model, and the check of their effects in the file system. */
type Task = readonly [what: string, run: (session: Session, directory: string) => Promise<void>];

const TASKS: readonly Task[] = [
  [
    'get an overview of a project',
    async (session) => {
      const tree = await session.text('directory_tree', { path: '.', gitignore: true, format: 'compact' });
      expect(tree).toContain('config.ts');
      expect(tree).not.toContain('lib');
    },
  ],
  [
    'find where a function is used, and read around it',
    async (session) => {
      const found = await session.text('search_content', { path: '.', pattern: 'startServer', word: true });
      expect(found).toContain('src/app.ts');
      expect(found).toContain('test/app.test.ts');
      expect(found).not.toContain('node_modules');
      expect(await session.text('read_text_file', { path: 'src/app.ts', offset: 2, limit: 3 })).toBe(
        'export function startServer(): void {\n  listen(port);\n}\n',
      );
    },
  ],
  [
    'read the end of a log',
    async (session) => {
      expect(await session.text('read_text_file', { path: 'server.log', tail: 2 })).toContain('line 4998\nline 4999\n');
    },
  ],
  [
    'change a line after a look at the diff, and keep the line endings',
    async (session, directory) => {
      const edit = { path: 'src/config.ts', edits: [{ oldText: 'port = 80', newText: 'port = 8080' }] };
      expect(await session.text('edit_file', { ...edit, dryRun: true })).toContain('+export const port = 8080;');
      expect(await readFile(path.join(directory, 'src/config.ts'), 'utf8')).toBe(FILES['src/config.ts']);
      await session.call('edit_file', edit);
      expect(await readFile(path.join(directory, 'src/config.ts'), 'utf8')).toBe(
        FILES['src/config.ts']?.replace('port = 80', 'port = 8080'),
      );
    },
  ],
  [
    'rename a function in all files, and take that back',
    async (session, directory) => {
      const replace = { path: '.', pattern: 'startServer', replacement: 'serve', word: true, include: ['*.ts'] };
      const text = await session.text('replace_in_files', replace);
      expect(await readFile(path.join(directory, 'test/app.test.ts'), 'utf8')).toBe(
        'import { serve } from "../src/app.ts";\n\nserve();\n',
      );
      expect(await readFile(path.join(directory, 'node_modules/lib/index.js'), 'utf8')).toBe('startServer();\n');
      const [, id = ''] = /undo with (\S+)/.exec(text) ?? [];
      await session.call('undo_change', { undoId: id });
      expect(await readFile(path.join(directory, 'test/app.test.ts'), 'utf8')).toBe(FILES['test/app.test.ts']);
    },
  ],
  [
    'add a file in a new directory, and a line to another',
    async (session, directory) => {
      await session.call('write_file', { path: 'src/http/routes.ts', content: 'export {};\n', createParents: true });
      await session.call('append_file', { path: 'docs/notes.md', content: '- second\n' });
      expect(await readFile(path.join(directory, 'src/http/routes.ts'), 'utf8')).toBe('export {};\n');
      expect(await readFile(path.join(directory, 'docs/notes.md'), 'utf8')).toBe('# Notes\n\n- first\n- second\n');
    },
  ],
  [
    'tidy up: move, copy and delete',
    async (session, directory) => {
      await session.call('move_file', { source: 'docs/notes.md', destination: 'NOTES.md' });
      await session.call('copy_file', { source: 'src', destination: 'backup' });
      await session.call('delete_file', { path: 'server.log' });
      expect(existsSync(path.join(directory, 'docs/notes.md'))).toBe(false);
      expect(await readFile(path.join(directory, 'NOTES.md'), 'utf8')).toBe(FILES['docs/notes.md']);
      expect((await readdir(path.join(directory, 'backup'))).toSorted()).toEqual(['app.ts', 'config.ts']);
      expect(existsSync(path.join(directory, 'server.log'))).toBe(false);
    },
  ],
  [
    'notice that someone else changed a file',
    async (session, directory) => {
      const file = path.join(directory, 'docs/notes.md');
      const { _meta } = await session.call('read_text_file', { path: 'docs/notes.md' });
      const { etag } = _meta as { etag: string };
      await appendFile(file, '- by hand\n');
      expect(await session.fails('write_file', { path: 'docs/notes.md', content: 'mine\n', ifMatch: etag })).toMatch(/^CONFLICT/);
      expect(await readFile(file, 'utf8')).toContain('- by hand');
    },
  ],
];

describe('an everyday task with files', () => {
  it.each(TASKS)('%s', async (_, run) => {
    const directory = await project();
    await using session = await connectProcess(mcpFs(directory, '--state-dir', temporaryState()));
    await run(session, directory);
  });
});
