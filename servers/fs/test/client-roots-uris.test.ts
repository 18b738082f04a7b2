import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { connect, ERAS, type Era, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../src/index.ts';
import { optionsWith, temporaryDirectory } from './temporary.ts';

/** `a b`, `a%20b`, `ümlaut` and `open`, each with a file `name.txt` that holds its name. */
const NAMES = ['open', 'a b', 'a%20b', 'ümlaut'];

async function tree(): Promise<string> {
  const root = await temporaryDirectory();
  for (const name of NAMES) {
    await mkdir(path.join(root, name));
    await writeFile(path.join(root, name, 'name.txt'), name);
  }
  return root;
}

function connected(root: string, era: Era, uris: readonly string[]): Promise<Session> {
  const server = new FilesystemServer(optionsWith({ directories: [root] }));
  return connect(server, { era, roots: () => uris.map((uri) => ({ uri })) });
}

describe.each(ERAS)('as the root of a client on a %s connection', (era) => {
  it.each<readonly [what: string, uriIn: (base: string) => string, name: string]>([
    ['a path of this machine', (base) => `${base}/open`, 'open'],
    ['a path with a slash at its end', (base) => `${base}/open/`, 'open'],
    ['a path of localhost', (base) => `${base.replace('file://', 'file://localhost')}/open`, 'open'],
    ['a percent-encoded space', (base) => `${base}/a%20b`, 'a b'],
    ['a percent-encoded percent', (base) => `${base}/a%2520b`, 'a%20b'],
    ['a percent-encoded letter', (base) => `${base}/%6Fpen`, 'open'],
    ['a letter beyond ASCII', (base) => `${base}/ümlaut`, 'ümlaut'],
    ['the same letter, percent-encoded', (base) => `${base}/%C3%BCmlaut`, 'ümlaut'],
  ])('%s is decoded once', async (_, uriIn, name) => {
    const root = await tree();
    await using session = await connected(root, era, [uriIn(pathToFileURL(root).href)]);
    expect(await session.text('read_text_file', { path: 'name.txt' })).toBe(name);
    for (const other of NAMES.filter((each) => each !== name))
      expect(await session.fails('read_text_file', { path: path.join(root, other, 'name.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it.each<readonly [attack: string, uriIn: (base: string) => string]>([
    ['a NUL character', (base) => `${base}/open%00`],
    ['a NUL character before a way back', (base) => `${base}/open%00/../open`],
    ['an encoded separator', (base) => `${base}%2Fopen`],
    ['an encoded separator of Windows', (base) => `${base}%5Copen`],
    ['an encoded way up and out', (base) => `${base}/%2e%2e/%2e%2e/etc`],
    ['a way up and out', (base) => `${base}/../../etc`],
    ['a way up', (base) => `${base}/open/..`],
    ['an encoded way up', (base) => `${base}/open/%2e%2e`],
    ['a way to a neighbour, half encoded', (base) => `${base}/open/.%2E/a%20b`],
    ['a way that stays', (base) => `${base}/open/%2e/`],
    ['a name that is cut off by a mark', (base) => `${base}/open#1`],
    ['a name that is cut off by a question', (base) => `${base}/open?1`],
    ['separators of Windows', (base) => `${base}\\open`],
    ['a line break within', (base) => `${base}/op\nen`],
    ['space around it', (base) => ` ${base}/open `],
    ['one slash', (base) => base.replace('file://', 'file:')],
    ['another machine', (base) => base.replace('file://', 'file://host')],
    ['another machine, named by an address', (base) => base.replace('file://', 'file://127.0.0.1')],
    ['a port of this machine', (base) => base.replace('file://', 'file://localhost:80')],
    ['a user of this machine', (base) => base.replace('file://', 'file://me@localhost')],
    ['a drive of Windows', () => 'file:///c%3A/x'],
    ['a drive of Windows, not encoded', () => 'file:///c:/x'],
    ['another scheme', (base) => base.replace('file:', 'https:')],
    ['a remote editor', (base) => base.replace('file://', 'vscode-remote://ssh-remote+host')],
    ['an editor of the web', (base) => base.replace('file:', 'vscode-vfs:')],
    ['a path', (base) => base.replace('file://', '')],
    ['percent signs that encode nothing', (base) => `${base}/%zz`],
    ['an encoding that is no UTF-8', (base) => `${base}/%ff`],
    ['nothing', () => ''],
    ['a scheme alone', () => 'file:'],
    ['words', () => 'not a URI'],
    ['a file', (base) => `${base}/open/name.txt`],
    ['a name that is not there', (base) => `${base}/missing`],
  ])('%s counts for nothing', async (_, uriIn) => {
    const root = await tree();
    const base = pathToFileURL(root).href;
    await using strict = await connected(root, era, [uriIn(base)]);
    for (const name of NAMES)
      expect(await strict.fails('read_text_file', { path: path.join(root, name, 'name.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
    await using beside = await connected(root, era, [uriIn(base), `${base}/open`]);
    expect(await beside.text('read_text_file', { path: 'name.txt' })).toBe('open');
    expect(await beside.fails('read_text_file', { path: path.join(root, 'a b/name.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });
});
