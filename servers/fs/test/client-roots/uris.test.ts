import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { connect, ERAS, type Era, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../../src/index.ts';
import { optionsWith, temporaryDirectory } from '../fixtures/temporary.ts';

/** Names of directories. Each directory contains a file `name.txt` with the name of the directory. */
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

describe.each(ERAS)('a client root on a %s connection,', (era) => {
  it.each<readonly [what: string, uriIn: (base: string) => string, name: string]>([
    ['a path of this machine', (base) => `${base}/open`, 'open'],
    ['a path with a slash at its end', (base) => `${base}/open/`, 'open'],
    ['a path of localhost', (base) => `${base.replace('file://', 'file://localhost')}/open`, 'open'],
    ['a percent-encoded space', (base) => `${base}/a%20b`, 'a b'],
    ['a percent-encoded percent', (base) => `${base}/a%2520b`, 'a%20b'],
    ['a percent-encoded letter', (base) => `${base}/%6Fpen`, 'open'],
    ['a letter beyond ASCII', (base) => `${base}/ümlaut`, 'ümlaut'],
    ['the same letter, percent-encoded', (base) => `${base}/%C3%BCmlaut`, 'ümlaut'],
  ])('is decoded once: %s', async (_, uriIn, name) => {
    const root = await tree();
    await using session = await connected(root, era, [uriIn(pathToFileURL(root).href)]);
    expect(await session.text('read_text_file', { path: 'name.txt' })).toBe(name);
    for (const other of NAMES.filter((each) => each !== name))
      expect(await session.fails('read_text_file', { path: path.join(root, other, 'name.txt') })).toMatch(/^PATH_OUTSIDE_ROOTS/);
  });

  it.each<readonly [attack: string, uriIn: (base: string) => string]>([
    ['a NUL character', (base) => `${base}/open%00`],
    ['a NUL character before a parent segment', (base) => `${base}/open%00/../open`],
    ['an encoded separator', (base) => `${base}%2Fopen`],
    ['an encoded separator of Windows', (base) => `${base}%5Copen`],
    ['encoded parent segments that leave the root', (base) => `${base}/%2e%2e/%2e%2e/etc`],
    ['parent segments that leave the root', (base) => `${base}/../../etc`],
    ['a parent segment', (base) => `${base}/open/..`],
    ['an encoded parent segment', (base) => `${base}/open/%2e%2e`],
    ['a half-encoded parent segment before a neighbour', (base) => `${base}/open/.%2E/a%20b`],
    ['an encoded dot segment', (base) => `${base}/open/%2e/`],
    ['a fragment', (base) => `${base}/open#1`],
    ['a query', (base) => `${base}/open?1`],
    ['separators of Windows', (base) => `${base}\\open`],
    ['a line break within', (base) => `${base}/op\nen`],
    ['spaces around the URI', (base) => ` ${base}/open `],
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
    ['bytes that are not valid UTF-8', (base) => `${base}/%ff`],
    ['an empty text', () => ''],
    ['a scheme alone', () => 'file:'],
    ['words', () => 'not a URI'],
    ['a file', (base) => `${base}/open/name.txt`],
    ['a name that does not exist', (base) => `${base}/missing`],
  ])('is ignored: %s', async (_, uriIn) => {
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
