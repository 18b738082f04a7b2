import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { commitAt, connectGit, git, idOf, repositoryOf } from '../../fixtures/temporary.ts';

async function textOf(session: Session, uri: string): Promise<string> {
  const [contents] = (await session.client.readResource({ uri })).contents;
  return (contents as { readonly text: string }).text;
}

function history(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n' }],
    ['Extend', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

describe('the URI of a file', () => {
  it.each([
    'what?.txt',
    'a#b',
    '100%.txt',
    '100%25',
    'with space',
    'new\nline',
    'ünï çödé 😀',
    'q\'u"o`t$e',
    'a&b=c+d',
    '-x',
    'a\\b',
  ])('resolves to the file with any name: %j', async (name) => {
    const top = await repositoryOf([['Begin', {}]]);
    await writeFile(path.join(top, name), 'this one');
    git(top, ['add', '--all']);
    commitAt(top, 'Add', 1);
    git(top, ['branch', 'odd/bränch#1']);
    await using session = await connectGit({ directories: [top] });
    const id = await idOf(session);
    for (const rev of ['HEAD', 'odd/bränch#1']) {
      const uri = `git://${id}/blob/${encodeURIComponent(rev)}/${encodeURIComponent(name)}`;
      expect(await textOf(session, uri)).toBe('this one');
    }
    expect(JSON.parse(await textOf(session, `git://${id}/tree/HEAD/`))).toMatchObject({ entries: [{ name }] });
  });

  it('distinguishes two names with dots', async () => {
    const top = await history();
    git(top, ['branch', 'v1.0.x', 'HEAD~1']);
    git(top, ['branch', 'v1.1.x']);
    await using session = await connectGit({ directories: [top] });
    const text = await textOf(session, `git://${await idOf(session)}/diff/v1.0.x..v1.1.x`);
    expect(text).toContain('+two');
  });
});

describe('a hint for caches', () => {
  it('allows caching only for URIs with full object names', async () => {
    const top = await history();
    await using session = await connectGit({ directories: [top] });
    const at = `git://${await idOf(session)}`;
    const [tip, first] = [git(top, ['rev-parse', 'HEAD']).trim(), git(top, ['rev-parse', 'HEAD~1']).trim()];
    const ttlOf = async (uri: string): Promise<unknown> =>
      ((await session.client.readResource({ uri: `${at}/${uri}` }, { cacheMode: 'bypass' })) as { ttlMs?: number }).ttlMs;
    for (const uri of [
      `commit/${tip}`,
      `tree/${tip}/`,
      `blob/${tip}/a.txt`,
      `log?rev=${tip}`,
      `log?cursor=${tip}`,
      `log?cursor=${tip}~${first}`,
      `diff/${first}..${tip}`,
    ])
      expect(await ttlOf(uri), uri).toBe(31_536_000_000);
    for (const uri of [
      'status',
      'head',
      'refs',
      'log',
      'commit/HEAD',
      'tree/main/',
      'diff/staged',
      `diff/${first}..main`,
      `commit/${tip.slice(0, 20)}`,
    ])
      expect(await ttlOf(uri), uri).toBe(0);
  });
});
