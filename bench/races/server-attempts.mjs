import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { ToolError } from '@org/mcp-decorators';

import { INSIDE, SECRET } from './arena.mjs';

/** What a client attempts, as {@link rootsAttempts}. */
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
    'write_file, new': {
      pair: 'directory',
      prepare: ({ inside }) => rmSync(`${inside}/written`, { force: true }),
      attempt: tool('write_file', { path: 'place/written', content: INSIDE }),
    },
    'write_file, existing': {
      pair: 'directory',
      attempt: tool('write_file', { path: 'place/victim.txt', content: INSIDE }),
    },
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

function shownBy(result) {
  const text = JSON.stringify(result);
  if (result.isError !== true) return text;
  throw new ToolError(/^[A-Z_]+/.exec(result.content[0].text)[0], text);
}

/** A resource or prompt that fails does so by an error of the protocol. */
function asToolError(request) {
  return async () => {
    try {
      return JSON.stringify(await request());
    } catch (error) {
      throw new ToolError(`${error.data?.code ?? error.code}`, `${error.message} ${JSON.stringify(error.data)}`);
    }
  };
}
