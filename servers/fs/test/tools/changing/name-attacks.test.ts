import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { connectFiles } from '../../fixtures/temporary.ts';
import { MOVERS, scene, untouched, WRITERS } from '../../fixtures/attack-scene.ts';

describe('a denied name', () => {
  it.each(['.env', 'sub/.env', 'sub/.ssh/id_rsa', 'private/x'])('is written by no tool: %s', async (name) => {
    const place = await scene();
    await mkdir(path.join(place.root, path.dirname(name)), { recursive: true });
    await writeFile(path.join(place.root, name), 'SECRET');
    await using session = await connectFiles({ directories: [place.root], deny: ['private'] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      expect(await session.fails(tool, input(name)), what).toMatch(/^DENIED_BY_POLICY/);
    expect(await readFile(path.join(place.root, name), 'utf8')).toBe('SECRET');
    await untouched(place);
  });
});

describe('a special file', () => {
  it('is neither written nor copied nor removed with its directory: a FIFO', async () => {
    const place = await scene();
    execFileSync('mkfifo', [path.join(place.root, 'sub/fifo')]);
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of WRITERS)
      expect(await session.fails(tool, input('sub/fifo')), what).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('copy_file', { source: 'sub/fifo', destination: 'copy' })).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('copy_file', { source: 'sub', destination: 'copy' })).toMatch(/^NOT_REGULAR_FILE/);
    expect(await session.fails('delete_file', { path: 'sub', recursive: true })).toMatch(/^NOT_REGULAR_FILE/);
    expect(await readdir(path.join(place.root, 'sub'))).toContain('fifo');
  });
});

describe.runIf(process.platform === 'linux')('a name in two normal forms', () => {
  it('is ambiguous to every tool, and neither file is changed', async () => {
    const place = await scene();
    const twins = ['caf\u00e9', 'cafe\u0301'];
    for (const name of twins) await writeFile(path.join(place.root, name), 'SECRET');
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      for (const name of twins) expect(await session.fails(tool, input(name)), what).toMatch(/^AMBIGUOUS_NAME/);
    for (const name of twins) expect(await readFile(path.join(place.root, name), 'utf8')).toBe('SECRET');
    await untouched(place);
  });
});

describe.skipIf(process.platform === 'win32')('a link loop', () => {
  it('is rejected by every tool that follows links', async () => {
    const place = await scene();
    await symlink('loop', path.join(place.root, 'loop'));
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      expect(await session.fails(tool, input('loop/x')), what).toMatch(/^SYMLINK_LOOP/);
    for (const [what, tool, input] of WRITERS) expect(await session.fails(tool, input('loop')), what).toMatch(/^SYMLINK_LOOP/);
    await untouched(place);
  });
});

describe('an invalid path', () => {
  it.each([
    ['a NUL', 'a\0b', 'INVALID_PATH'],
    ['nothing', '', 'INVALID_PATH'],
    ['a name of 256 bytes', 'n'.repeat(256), 'INVALID_PATH'],
    ['more than 4096 bytes', 'n/'.repeat(2100), 'INVALID_PATH'],
  ])('is rejected by every tool: %s', async (_, given, code) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      expect(await session.fails(tool, input(given)), what).toMatch(new RegExp(`^${code}`));
    await untouched(place);
  });

  it.each([
    ['a number', 7],
    ['an array', ['ok.txt']],
    ['an object', { path: 'ok.txt' }],
  ])('is rejected by the schema: %s', async (_, given) => {
    const place = await scene();
    await using session = await connectFiles({ directories: [place.root] });
    for (const [what, tool, input] of [...WRITERS, ...MOVERS])
      expect(await session.fails(tool, input(given as unknown as string)), what).toMatch(/^INVALID_ARGUMENTS/);
  });
});
