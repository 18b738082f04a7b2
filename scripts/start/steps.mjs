import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { prompt, refusedTool, resource, tool } from './calls.mjs';

/** The calls that are shown, in order; `scratch` is a directory that may be written to. */
export function stepsIn({ checkout, scratch }) {
  const note = join(scratch, 'note.txt');
  return [
    ['What is in this directory?', tool('list_directory', { path: '.' })],
    ['Where are the servers?', tool('search_files', SERVERS)],
    ['How does the README begin?', tool('read_text_file', { path: 'README.md', head: 5 })],
    ['How large is it, and when was it changed?', tool('get_file_info', { path: 'README.md' })],
    ['Write a file into a second directory', tool('write_file', { path: note, content: 'Written by an MCP client.\n' })],
    ['Read it back', tool('read_text_file', { path: note })],
    ['A file outside both directories is refused', refusedTool('read_text_file', { path: '/etc/passwd' }, 'PATH_OUTSIDE_ROOTS')],
    ['Fill in a prompt', prompt('review_file', { path: 'servers/fs/bin/mcp-fs.js', focus: 'start-up' })],
    ['Read a file as a resource', resource(pathToFileURL(join(checkout, 'pnpm-workspace.yaml')).href)],
  ];
}

const SERVERS = { path: '.', pattern: '**/*-server.ts', excludePatterns: ['node_modules', 'dist'] };
