import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess, type Session, type SessionOptions } from '@org/mcp-testing';

import { program } from '../support/attacker.ts';
import type { Arguments, Question } from './questions.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** A text that is too long for the result of one call. */
const LONG = Array.from({ length: 3000 }, (_, number) => `line ${number}\n`).join('');

/** Starts mcp-fs on files of every kind. */
export async function startFs(directory: string, options: SessionOptions): Promise<Session> {
  const files = path.join(directory, 'files');
  await mkdir(path.join(files, 'sub', 'deep'), { recursive: true });
  await mkdir(path.join(files, 'none'));
  const contents = { 'notes.txt': 'alpha\nbeta\ngamma\n', 'data.json': '[1, 2]\n', 'empty.txt': '', 'long.txt': LONG };
  const others = { 'sub/alpha.ts': 'alpha();\n', 'sub/deep/.env': 'alpha=1\n', 'binary.bin': 'alpha\0' };
  for (const [name, content] of Object.entries({ ...contents, ...others })) await writeFile(path.join(files, name), content);
  await writeFile(path.join(files, 'picture.png'), Buffer.from(PNG, 'base64'));
  const state = path.join(directory, 'state');
  return connectProcess(program('fs', '--state-dir', state, '--structured', 'always', files), options);
}

export const FS_QUESTIONS: readonly Question[] = [
  { tool: 'list_allowed_directories', facts: [/files/] },
  { tool: 'read_text_file', args: { path: 'notes.txt' }, facts: [/beta/] },
  { tool: 'read_text_file', args: { path: 'long.txt' }, facts: [/line 9/, /Read on with offset \d+/] },
  { tool: 'read_text_file', args: { path: 'data.json' }, facts: [/data\.json, 1 line, etag/, /\[1, 2\]/] },
  { tool: 'read_text_file', args: { path: 'empty.txt' }, facts: [/empty/] },
  { tool: 'read_text_file', args: { path: 'nowhere' }, facts: [] },
  { tool: 'read_file', args: { path: 'notes.txt' }, facts: [/beta/] },
  { tool: 'read_multiple_files', args: { paths: ['notes.txt', 'nowhere', 'long.txt'] }, facts: [/beta/, /NOT_FOUND/, /offset/] },
  { tool: 'read_media_file', args: { path: 'picture.png' }, facts: [/picture\.png, image\/png, \d+ bytes/] },
  { tool: 'read_media_file', args: { path: 'picture.png', asLink: true }, facts: [/file:\/\/.*picture\.png/] },
  { tool: 'get_file_info', args: { path: 'notes.txt' }, facts: [/size/, /17/, /etag/] },
  { tool: 'get_file_info', args: { path: 'sub' }, facts: [/directory/] },
  { tool: 'list_directory', args: { path: '.' }, facts: [/notes\.txt/, /sub/] },
  { tool: 'list_directory', args: { path: '.', limit: 2 }, facts: [/binary\.bin/, /\b8\b/] },
  { tool: 'list_directory', args: nextPage('list_directory', { path: '.', limit: 2 }), facts: [/empty\.txt/, /\b8\b/] },
  { tool: 'list_directory', args: { path: 'none' }, facts: [/empty|"total":0/] },
  { tool: 'list_directory_with_sizes', args: { path: '.' }, facts: [/notes\.txt/, /17 B/] },
  { tool: 'directory_tree', args: { path: '.' }, facts: [/alpha\.ts/] },
  { tool: 'directory_tree', args: { path: '.', format: 'json' }, facts: [/alpha\.ts/] },
  { tool: 'search_files', args: { path: '.', pattern: '**/alpha*' }, facts: [/alpha\.ts/] },
  { tool: 'search_files', args: { path: '.', pattern: 'alpha*' }, facts: [/\*\*\/alpha\*/] },
  { tool: 'search_files', args: { path: '.', pattern: '**', limit: 1 }, facts: [/[Cc]ursor/] },
  { tool: 'search_content', args: { path: '.', pattern: 'alpha' }, facts: [/notes\.txt/, /alpha\(\);/, /binary/] },
  { tool: 'search_content', args: { path: '.', pattern: 'beta', after: 1, limit: 3 }, facts: [/gamma/] },
  { tool: 'search_content', args: { path: '.', pattern: 'line', limit: 2 }, facts: [/[Cc]ursor/, /line 1/] },
  { tool: 'search_content', args: { path: '.', pattern: 'alpha', outputMode: 'count' }, facts: [/notes\.txt/, /\b1\b/] },
  { tool: 'search_content', args: { path: '.', pattern: 'nothing at all' }, facts: [/No matches|"matches":\[\]/] },
  { tool: 'write_file', args: { path: 'new.txt', content: 'one\n' }, facts: [/4/, /etag/, /[Cc]reated/] },
  { tool: 'write_file', args: { path: '.vscode/tasks.json', content: '{}', createParents: true }, facts: [/2/, /review/] },
  { tool: 'append_file', args: { path: 'new.txt', content: 'two\n' }, facts: [/8/, /etag/, /[Uu]ndo/] },
  { tool: 'edit_file', args: { ...edit('beta', 'BETA'), dryRun: true }, facts: [/\+BETA/, /Nothing was changed: dry run/] },
  { tool: 'edit_file', args: edit('beta', 'BETA'), facts: [/\+BETA/, /undo with/, /etag/] },
  { tool: 'replace_in_files', args: { ...replace('BETA', 'b'), dryRun: true }, facts: [/\+b\b/, /dry run/] },
  { tool: 'replace_in_files', args: replace('BETA', 'b'), facts: [/\+b\b/, /Replaced 1 in 1 file/, /undo with/] },
  { tool: 'create_directory', args: { path: 'made' }, facts: [/made/, /[Uu]ndo/] },
  { tool: 'create_directory', args: { path: 'made' }, facts: [/already exists|"existed":true/] },
  { tool: 'copy_file', args: { source: 'sub', destination: 'copy' }, facts: [/copy/, /entries/] },
  { tool: 'move_file', args: { source: 'copy', destination: 'moved' }, facts: [/moved/, /[Uu]ndo/] },
  { tool: 'delete_file', args: { path: 'moved', recursive: true }, facts: [/moved/, /[Uu]ndo/] },
  { tool: 'list_changes', facts: [/delete_file/, /moved/] },
  { tool: 'list_changes', args: { limit: 1 }, facts: [/[Cc]ursor/] },
  { tool: 'undo_change', args: lastChange, facts: [/delete_file/, /moved/, /[Uu]ndo/] },
];

function edit(oldText: string, newText: string): Arguments {
  return { path: 'notes.txt', edits: [{ oldText, newText }] };
}

function replace(pattern: string, replacement: string): Arguments {
  return { path: '.', pattern, replacement };
}

function nextPage(tool: string, args: Arguments): (session: Session) => Promise<Arguments> {
  return async (session) => {
    const { nextCursor: cursor } = (await session.call(tool, args)).structuredContent as { readonly nextCursor: string };
    return { ...args, cursor };
  };
}

async function lastChange(session: Session): Promise<Arguments> {
  const { changes } = (await session.call('list_changes')).structuredContent as { readonly changes: readonly Arguments[] };
  return { undoId: changes[0]?.['undoId'] };
}
