import { mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { CALLS, expectUntouched, failures, protocolErrors, scene, type Scene } from './fixtures/scene.ts';
import { connectFiles, temporaryDirectory } from './fixtures/temporary.ts';

const OUTSIDE: readonly (readonly [string, (scene: Scene) => string])[] = [
  ['parent traversal', ({ root }) => `${root}/../safe_evil/secret.txt`],
  ['relative parent traversal', () => '../safe_evil/secret.txt'],
  ['traversal through a missing directory', ({ root }) => `${root}/a/../../safe_evil/secret.txt`],
  ['absolute path outside', ({ outside }) => path.join(outside, 'secret.txt')],
  ['sibling with the root as prefix', ({ root }) => `${root}_evil/secret.txt`],
  ['link to a file outside', () => 'file-link'],
  ['directory link in the middle', () => 'dir-link/secret.txt'],
  ['directory link in the middle, missing leaf', () => 'dir-link/new.txt'],
  ['directory link in the middle, two missing levels', () => 'dir-link/a/b.txt'],
  ['chain of links', () => 'chain'],
  ['relative link out', () => 'relative-link'],
  ['link to /proc/self/root', () => 'proc-link/etc/passwd'],
  ['dangling link', () => 'dangling'],
  ['root with a trailing quote', ({ root }) => `${root}"/secret.txt`],
  ['root with a trailing space', ({ root }) => `${root} /secret.txt`],
  ['root with a trailing newline', ({ root }) => `${root}\n/secret.txt`],
  ['file link as a directory', () => 'file-link/x'],
  ['dangling link as a directory', () => 'dangling/x'],
  ['link to /proc/self/root, itself', () => 'proc-link'],
  ['link to /proc/self/cwd', () => 'cwd-link'],
  ['path through /proc/self/cwd', () => 'cwd-link/package.json'],
  ['link to /dev/fd/0', () => 'fd-link'],
  ['the parent of the root', ({ root }) => path.dirname(root)],
  ['the root of the file system', () => '/'],
  ['root with a trailing tab', ({ root }) => `${root}\t/secret.txt`],
  ['root with a trailing no-break space', ({ root }) => `${root}\u00a0/secret.txt`],
];

/** Pairs of a path to an existing file and a path to a missing file. The errors of both paths must be equal. */
const PROBES: readonly (readonly [way: string, existing: (scene: Scene) => string, missing: (scene: Scene) => string])[] = [
  ['an absolute path', ({ outside }) => `${outside}/secret.txt`, ({ outside }) => `${outside}/missing.txt`],
  ['..', () => '../safe_evil/secret.txt', () => '../safe_evil/missing.txt'],
  ['a directory link', () => 'dir-link/secret.txt', () => 'dir-link/missing.txt'],
  ['a directory link and a file as directory', () => 'dir-link/secret.txt/x', () => 'dir-link/missing.txt/x'],
  ['a file link', () => 'file-link', () => 'dangling'],
  ['a link into the kernel', ({ outside }) => `proc-link${outside}`, ({ outside }) => `proc-link${outside}x`],
];

/** Expects that read_multiple_files rejects a path without failing for the other files of the call. */
async function refusedAmongOthers(session: Session, given: string, { root }: Scene): Promise<void> {
  const { content } = await session.call('read_multiple_files', { paths: [given, { path: given, tail: 1 }, 'ok.txt'] });
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
  for (const text of texts.slice(0, 2)) {
    expect(text).toContain(
      `PATH_OUTSIDE_ROOTS: ${JSON.stringify(given)} is not inside the allowed directories\nallowed: ${root}`,
    );
    expect(text).not.toContain('SECRET');
  }
  expect(texts[2]).toBe('ok.txt:\nok\n[The last line has no line break.]\n');
}

describe('a path outside the directories', () => {
  it.each(OUTSIDE)('is rejected by every tool and nothing is changed: %s', async (_, attack) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const given = attack(place);
    const isLink = path.resolve(place.root, given).startsWith(`${place.root}/`);
    const text = `PATH_OUTSIDE_ROOTS: ${JSON.stringify(given)} is not inside the allowed directories\nallowed: ${place.root}${isLink ? '\na symbolic link in the path leads outside' : ''}`;
    expect(new Set(Object.values(await failures(session, given)))).toEqual(new Set([text]));
    await refusedAmongOthers(session, given, place);
    await expectUntouched(place);
  });

  it.each(OUTSIDE)('is neither a resource nor part of a prompt: %s', async (_, attack) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const [resource, prompt] = await protocolErrors(session, path.resolve(place.root, attack(place)));
    expect(resource).toMatchObject({ code: -32_602 });
    expect(String(prompt)).toContain('PATH_OUTSIDE_ROOTS');
    expect(toldBy([resource, prompt])).not.toContain('SECRET');
  });

  it.each(PROBES)('does not disclose whether a file exists, by %s', async (_, existing, missing) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const told = async (given: string): Promise<string> => {
      const absolute = path.resolve(place.root, given);
      const all = [JSON.stringify(await failures(session, given)), toldBy(await protocolErrors(session, absolute))].join('\n');
      return all.replaceAll(absolute, 'ABSOLUTE').replaceAll(JSON.stringify(given).slice(1, -1), 'GIVEN');
    };
    expect(await told(existing(place))).toBe(await told(missing(place)));
  });

  it.each([
    ['a file', (place: Scene) => path.join(place.outside, 'secret.txt')],
    ['a missing file', (place: Scene) => path.join(place.outside, 'missing.txt')],
    ['an encoded traversal', ({ root }: Scene) => `${root}/%2e%2e/safe_evil/secret.txt`],
    ['a link out', ({ root }: Scene) => path.join(root, 'file-link')],
    ['an encoded NUL', ({ root }: Scene) => `${root}/ok.txt%00`],
  ])('is not found as a resource: %s', async (_, attack) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const error: unknown = await session.client
      .readResource({ uri: `file://${attack(place)}` })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: -32_602 });
    expect(String(error)).not.toContain('SECRET');
  });

  it('is not shown by a listing or search that meets a link to it', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.text('list_directory', { path: '.' })).toContain('[LINK] dir-link');
    expect(await session.text('search_files', { path: '.', pattern: 'secret' })).toBe('No matches found');
  });
});

describe('a file URI as a path', () => {
  it('is accepted by every tool that takes a path', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    const uri = (name: string): string => pathToFileURL(path.join(root, name)).href;
    await session.text('write_file', { path: uri('new dir/ä.txt'), content: 'one', createParents: true });
    await session.text('edit_file', { path: uri('new dir/ä.txt'), edits: [{ oldText: 'one', newText: 'two' }] });
    await session.text('copy_file', { source: uri('new dir/ä.txt'), destination: uri('copy.txt') });
    await session.text('move_file', { source: uri('copy.txt'), destination: uri('moved.txt') });
    expect(await session.text('read_text_file', { path: uri('moved.txt') })).toBe('two');
    expect(await session.text('list_directory', { path: uri('new dir') })).toBe('[FILE] ä.txt');
    expect(await session.text('search_content', { path: uri('moved.txt'), pattern: 'two' })).toContain('moved.txt');
    expect(await readFile(path.join(root, 'new dir/ä.txt'), 'utf8')).toBe('two');
  });

  it.each([
    ['another machine', ({ outside }: Scene) => `file://elsewhere${outside}/secret.txt`, 'INVALID_PATH'],
    ['encoded slashes', ({ root }: Scene) => `file://${root}/..%2fsafe_evil%2fsecret.txt`, 'INVALID_PATH'],
    ['encoded dots', ({ root }: Scene) => `file://${root}/%2e%2e/safe_evil/secret.txt`, 'INVALID_PATH'],
    ['a path outside', ({ outside }: Scene) => `file://${outside}/secret.txt`, 'PATH_OUTSIDE_ROOTS'],
    ['a link out', ({ root }: Scene) => `file://${root}/file-link`, 'PATH_OUTSIDE_ROOTS'],
  ])('is rejected by every tool: %s', async (_, attack, code) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    const found = Object.values(await failures(session, attack(place)));
    expect(new Set(found.map((text) => text.split(':')[0]))).toEqual(new Set([code]));
    await expectUntouched(place);
  });
});

describe('a dangling link inside a root', () => {
  it('is reported as such, and nothing is created at its target', async () => {
    const { root } = await scene();
    await symlink('nowhere', path.join(root, 'lost'));
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('read_text_file', { path: 'lost' })).toBe(
      'NOT_FOUND: "lost" is or contains a symbolic link to a path that does not exist',
    );
    expect(await session.fails('write_file', { path: 'lost', content: '' })).toBe(
      'DENIED_BY_POLICY: access to "lost" is denied: it is a symbolic link to a path that does not exist',
    );
    expect(await readdir(root)).not.toContain('nowhere');
  });
});

describe('a path that leaves a root and returns', () => {
  it.each(['a/../ok.txt', 'a/b/../../ok.txt', './/./ok.txt', '../safe/ok.txt', 'dir-link/../ok.txt'])(
    'is resolved lexically: %s',
    async (given) => {
      const place = await scene();
      await using session = await connectFiles({ directories: [place.root] });
      for (const spelling of [given, `${place.root}/${given}`]) {
        expect(await session.text('read_text_file', { path: spelling })).toBe('ok');
        await session.text('write_file', { path: spelling, content: 'ok' });
        await session.text('move_file', { source: spelling, destination: 'a/../moved' });
        await session.text('move_file', { source: 'moved', destination: spelling });
      }
      await expectUntouched(place);
    },
  );
});

describe('a literal name', () => {
  it.each(['~', '$HOME', '%2e%2e', '..\\safe_evil\\secret.txt', '...', ' ', ' .. ', '\t'])(
    'is not expanded: %s',
    async (name) => {
      const place = await scene();
      await using session = await connectFiles({ directories: [place.root] });
      expect(await session.fails('read_text_file', { path: name })).toMatch(/^NOT_FOUND/);
      expect(await session.text('write_file', { path: name, content: 'mine' })).toContain('Created');
      expect(await readFile(path.join(place.root, name), 'utf8')).toBe('mine');
      await expectUntouched(place);
    },
  );

  it.each([
    ['a NUL', 'a\0b'],
    ['no characters', ''],
    ['more characters than a name may have', 'n'.repeat(300)],
    ['more characters than a path may have', 'n/'.repeat(2100)],
    ['a megabyte', 'n/'.repeat(524_288)],
  ])('with %s is rejected', async (_, name) => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, rest] of CALLS) expect(await session.fails(tool, { path: name, ...rest })).toMatch(/^INVALID_PATH/);
  });
});

describe('a path that is not a text', () => {
  it.each([
    ['a number', 1],
    ['an array', ['ok.txt']],
    ['an object', { toString: 'ok.txt' }],
    ['true', true],
    ['null', null],
  ])('is rejected before any file is accessed: %s', async (_, given) => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    for (const [tool, rest] of CALLS) expect(await session.fails(tool, { path: given, ...rest })).toMatch(/^INVALID_ARGUMENTS/);
  });
});

describe('a path that ends with a slash', () => {
  it('is not written as a file', async () => {
    const { root } = await scene();
    await using session = await connectFiles({ directories: [root] });
    expect(await session.fails('write_file', { path: 'new/', content: '' })).toMatch(/^INVALID_PATH/);
    expect(await readdir(root)).not.toContain('new');
  });
});

describe('a root that is itself a link', () => {
  it('is reached by both of its names', async () => {
    const { root } = await scene();
    const link = path.join(await mkdtemp(path.join(await temporaryDirectory(), 'link-')), 'root');
    await symlink(root, link);
    await using session = await connectFiles({ directories: [link] });
    expect(await session.text('read_text_file', { path: path.join(link, 'ok.txt') })).toBe('ok');
    expect(await session.text('read_text_file', { path: path.join(root, 'ok.txt') })).toBe('ok');
  });
});

/** Returns the messages and the fields of errors, which a client can read. */
function toldBy(errors: readonly unknown[]): string {
  return errors.map((error) => `${String(error)} ${JSON.stringify(error)}`).join('\n');
}
