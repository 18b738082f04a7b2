import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { prompt, refusedTool, resource, tool, update } from '../calls.mjs';

/** Returns the tour of files: this checkout, and a temporary directory in which the tour writes files. */
export function filesTour({ checkout, scratch }) {
  const note = join(scratch, 'note.txt');
  const log = join(scratch, 'log.txt');
  writeFileSync(log, 'first line\n');
  return {
    program: 'servers/fs/bin/mcp-fs.js',
    args: [checkout, scratch],
    steps: [
      ['What is in this directory?', tool('list_directory', { path: '.' })],
      ['Where are the servers?', tool('search_files', SERVERS)],
      ['How does the README begin?', tool('read_text_file', { path: 'README.md', head: 5 })],
      ['Write a file into a second directory', tool('write_file', { path: note, content: 'Written by an MCP client.\n' })],
      ['Read it back, as a resource', resource(pathToFileURL(note).href)],
      [
        'A file outside both directories is refused',
        refusedTool('read_text_file', { path: '/etc/passwd' }, 'PATH_OUTSIDE_ROOTS'),
      ],
      ['Fill in a prompt', prompt('review_file', { path: 'servers/fs/bin/mcp-fs.js', focus: 'start-up' })],
      ['Subscribe to a file, then edit it', update(pathToFileURL(log).href, () => appendFileSync(log, 'second line\n'))],
    ],
  };
}

const SERVERS = { path: '.', pattern: '**/*-server.ts', excludePatterns: ['node_modules', 'dist'] };
