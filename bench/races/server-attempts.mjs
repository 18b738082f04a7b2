import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ToolError } from '@org/mcp-decorators';

import { INSIDE, SECRET } from './arena.mjs';

/** Returns attempts of a client, in the form of {@link rootsAttempts}. */
export function serverAttempts({ client }, root) {
  const tool = (name, args) => async () => shownBy(await client.callTool({ name, arguments: args }));
  const inPlace = { path: 'place/file.txt' };
  return {
    read_text_file: { pair: 'directory', attempt: tool('read_text_file', inPlace) },
    'read_text_file of a name near by': {
      pair: 'directory',
      hoped: 'NOT_FOUND',
      attempt: tool('read_text_file', { path: `place/${SECRET.slice(1)}` }),
    },
    get_file_info: { pair: 'directory', attempt: tool('get_file_info', inPlace) },
    list_directory: { pair: 'directory', attempt: tool('list_directory', { path: 'place' }) },
    search_files: { pair: 'directory', attempt: tool('search_files', { path: 'place', pattern: '**' }) },
    'search_files from above': {
      pair: 'directory',
      attempt: tool('search_files', { path: '.', pattern: '**' }),
      tell: (shown) => (shown.includes('place/file.txt') ? 'allowed' : 'not entered'),
    },
    list_directory_with_sizes: { pair: 'directory', attempt: tool('list_directory_with_sizes', { path: 'place' }) },
    directory_tree: { pair: 'directory', attempt: tool('directory_tree', { path: 'place' }) },
    search_content: { pair: 'directory', attempt: tool('search_content', { path: 'place', pattern: 'it' }) },
    'search_content from above': {
      pair: 'directory',
      attempt: tool('search_content', { path: '.', pattern: 'I', caseSensitive: false }),
      tell: (shown) => (shown.includes('place/file.txt') ? 'allowed' : 'not entered'),
    },
    ...writingAttempts(tool),
    ...copyingAttempts(tool),
    ...replacingAttempts(tool),
    ...undoingAttempts(tool),
    'resource read': {
      pair: 'directory',
      attempt: asToolError(() => client.readResource({ uri: pathToFileURL(path.join(root, 'place/file.txt')).href })),
    },
    prompt: {
      pair: 'directory',
      attempt: asToolError(() => client.getPrompt({ name: 'review_file', arguments: inPlace })),
    },
  };
}

function writingAttempts(tool) {
  return {
    'write_file, new': {
      pair: 'directory',
      prepare: removeWritten,
      attempt: tool('write_file', { path: 'place/written', content: INSIDE }),
      isDone: isWritten,
    },
    'write_file, existing': {
      pair: 'directory',
      attempt: tool('write_file', { path: 'place/victim.txt', content: INSIDE }),
    },
    'write_file with createParents': {
      pair: 'directory',
      prepare: ({ inside }) => rmSync(`${inside}/made`, { recursive: true, force: true }),
      attempt: tool('write_file', { path: 'place/made/deep/written', content: INSIDE, createParents: true }),
      isDone: ({ inside }) => existsSync(`${inside}/made/deep/written`),
    },
    append_file: {
      pair: 'directory',
      prepare: ({ inside }) => writeFileSync(`${inside}/victim.txt`, INSIDE),
      attempt: tool('append_file', { path: 'place/victim.txt', content: '!' }),
      isDone: ({ inside }) => readFileSync(`${inside}/victim.txt`, 'utf8') === `${INSIDE}!`,
    },
    'append_file, file exchanged': {
      pair: 'file',
      prepare: (arena) => arena.restoreLink(),
      attempt: tool('append_file', { path: 'file.txt', content: '' }),
    },
  };
}

function copyingAttempts(tool) {
  return {
    'copy_file to': {
      pair: 'directory',
      prepare: removeWritten,
      attempt: tool('copy_file', { source: 'victim.txt', destination: 'place/written' }),
      isDone: isWritten,
    },
    'copy_file from': {
      pair: 'directory',
      attempt: tool('copy_file', { source: 'place/file.txt', destination: 'copy', overwrite: true }),
      isDone: ({ heldRoot }) => readFileSync(`${heldRoot}/copy`, 'utf8') === INSIDE,
    },
    'copy_file of a directory': {
      pair: 'directory',
      prepare: ({ heldRoot }) => rmSync(`${heldRoot}/copies`, { recursive: true, force: true }),
      attempt: tool('copy_file', { source: 'place', destination: 'copies' }),
      isDone: ({ heldRoot }) => existsSync(`${heldRoot}/copies/${INSIDE}`) && !existsSync(`${heldRoot}/copies/${SECRET}`),
    },
  };
}

/** Returns attempts that read a file and write it again. */
function replacingAttempts(tool) {
  const restore = ({ inside }) => writeFileSync(`${inside}/victim.txt`, INSIDE);
  const isReplaced = ({ inside }) => readFileSync(`${inside}/victim.txt`, 'utf8') === 'beyond it';
  return {
    edit_file: {
      pair: 'directory',
      prepare: restore,
      attempt: tool('edit_file', { path: 'place/victim.txt', edits: [{ oldText: 'within', newText: 'beyond' }] }),
      isDone: isReplaced,
    },
    'edit_file, file exchanged': {
      pair: 'file',
      prepare: (arena) => arena.restoreLink(),
      attempt: tool('edit_file', { path: 'file.txt', edits: [{ oldText: 'within', newText: 'within' }] }),
    },
    replace_in_files: {
      pair: 'directory',
      prepare: restore,
      attempt: tool('replace_in_files', replacing('place', ['victim.txt'])),
      isDone: isReplaced,
    },
    'replace_in_files from above': {
      pair: 'directory',
      prepare: restore,
      attempt: tool('replace_in_files', replacing('.', ['place*/victim.txt'])),
      isDone: isReplaced,
    },
  };
}

/** Returns the arguments of `replace_in_files`. The pattern matches the contents of files inside and outside the root. */
function replacing(place, include) {
  return { path: place, pattern: `within|${SECRET}`, regex: true, replacement: 'beyond', include };
}

function undoingAttempts(tool) {
  return {
    undo_change: {
      pair: 'directory',
      prepare: ({ inside }) => writeFileSync(`${inside}/victim.txt`, INSIDE),
      attempt: async () => {
        const edit = { path: 'place/victim.txt', edits: [{ oldText: 'within', newText: 'beyond' }] };
        const [, undoId] = /"undoId":"([^"]+)"/.exec(await tool('edit_file', edit)());
        return tool('undo_change', { undoId })();
      },
      isDone: ({ inside }) => readFileSync(`${inside}/victim.txt`, 'utf8') === INSIDE,
    },
  };
}

function isWritten({ inside }) {
  return existsSync(`${inside}/written`);
}

function removeWritten({ inside }) {
  rmSync(`${inside}/written`, { force: true });
}

function shownBy(result) {
  const text = JSON.stringify(result);
  if (result.isError !== true) return text;
  throw new ToolError(/^[A-Z_]+/.exec(result.content[0].text)[0], text);
}

/** Returns a request that fails with a `ToolError` instead of the protocol error of a resource or prompt. */
function asToolError(request) {
  return async () => {
    try {
      return JSON.stringify(await request());
    } catch (error) {
      throw new ToolError(`${error.data?.code ?? error.code}`, `${error.message} ${JSON.stringify(error.data)}`);
    }
  };
}
