import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { compileServer } from '@org/mcp-decorators';
import { connect } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../src/index.ts';
import { optionsWith, temporaryDirectory } from './fixtures/temporary.ts';

/** Valid arguments for each tool. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  read_text_file: { path: 'f' },
  read_file: { path: 'f' },
  read_multiple_files: { paths: ['f'] },
  read_media_file: { path: 'f' },
  get_file_info: { path: 'f' },
  list_allowed_directories: {},
  list_directory: { path: '.' },
  list_directory_with_sizes: { path: '.' },
  directory_tree: { path: '.' },
  search_files: { path: '.', pattern: 'f' },
  search_content: { path: '.', pattern: 'text' },
  write_file: { path: 'g', content: 'text' },
  append_file: { path: 'g', content: 'text' },
  edit_file: { path: 'f', edits: [{ oldText: 'text', newText: 'other' }] },
  replace_in_files: { path: '.', pattern: 'other', replacement: 'text' },
  create_directory: { path: 'd' },
  copy_file: { source: 'f', destination: 'copy' },
  move_file: { source: 'copy', destination: 'moved' },
  delete_file: { path: 'moved' },
  undo_change: { undoId: 'unknown' },
  list_changes: {},
  review_change: { undoId: 'unknown' },
  refuse_hunks: { undoId: 'unknown', path: 'f', ifMatch: '', hunks: [0] },
  diff_files: { from: 'f', to: 'g' },
  checkpoint: { name: 'start' },
  rewind: { to: 'unknown' },
  read_document: { path: 'f' },
  list_archive: { path: 'f' },
  extract_archive: { path: 'f', destination: 'd' },
};

/** Tools that fail with these arguments. */
const FAILING = [
  'undo_change',
  'review_change',
  'refuse_hunks',
  'copy_file',
  'move_file',
  'rewind',
  'read_document',
  'list_archive',
  'extract_archive',
];

/** Client capabilities for views. Some tools are offered only to clients that show views. */
const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

const TOOLS = [...compileServer(FilesystemServer).tools.keys()];

describe('a subclass of FilesystemServer', () => {
  it.each(TOOLS)('overrides %s with a plain method and can call the inherited method', async (tool) => {
    const calls: string[] = [];
    const method = tool.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    class Subclass extends FilesystemServer {}
    const inherited: unknown = Reflect.get(FilesystemServer.prototype, method);
    Reflect.set(Subclass.prototype, method, function override(this: Subclass, ...given: unknown[]): unknown {
      calls.push(tool);
      return typeof inherited === 'function' ? Reflect.apply(inherited, this, given) : undefined;
    });
    const root = await temporaryDirectory();
    for (const name of ['f', 'g', 'copy', 'moved']) await writeFile(path.join(root, name), 'text other');
    await using session = await connect(new Subclass(optionsWith({ directories: [root], tools: ['all'] })), {
      capabilities: APPS,
    });
    const { isError } = await session.call(tool, ARGUMENTS[tool] ?? {}).catch(() => ({ isError: true }));
    expect(calls).toEqual([tool]);
    expect(isError === true).toBe(FAILING.includes(tool));
  });
});
