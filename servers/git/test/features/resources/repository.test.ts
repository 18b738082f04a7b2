import { rm } from 'node:fs/promises';
import path from 'node:path';

import { ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import {
  commitAt,
  connectGit,
  emptyRepository,
  git,
  idOf,
  repositoryOf,
  temporaryDirectory,
  writeIn,
} from '../../fixtures/temporary.ts';

interface Read {
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

async function read(session: Session, uri: string): Promise<Read> {
  const [contents] = (await session.client.readResource({ uri })).contents;
  return contents as Read;
}

async function readJson(session: Session, uri: string): Promise<unknown> {
  const { mimeType, text } = await read(session, uri);
  expect(mimeType).toBe('application/json');
  return JSON.parse(text);
}

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

function project(): Promise<string> {
  return repositoryOf([
    ['Begin', { 'a.txt': 'one\n', 'src/b.txt': 'b\n' }],
    ['Extend\n\nAll of it.', { 'a.txt': 'one\ntwo\n' }],
  ]);
}

/** Creates a repository with a merge that stopped because both branches changed the same line. */
async function conflicted(): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a b#.txt': 'one\n' }]]);
  git(top, ['switch', '--quiet', '--create', 'theirs']);
  await writeIn(top, 'a b#.txt', 'their\n');
  git(top, ['commit', '--quiet', '--all', '--message=Their']);
  git(top, ['switch', '--quiet', 'main']);
  await writeIn(top, 'a b#.txt', 'our\n');
  git(top, ['commit', '--quiet', '--all', '--message=Our']);
  expect(() => git(top, ['merge', 'theirs'])).toThrow();
  return top;
}

describe.each(ERAS)('a repository on a %s connection', (era) => {
  it('is read through its resource URIs', async () => {
    const top = await project();
    git(top, ['branch', 'feature/x', 'HEAD~1']);
    git(top, ['tag', '--annotate', '--message=First', 'v1', 'HEAD~1']);
    await using session = await connectGit({ directories: [top] }, era);
    const at = `git://${await idOf(session)}`;
    const [tip, first] = [oidOf(top, 'HEAD'), oidOf(top, 'HEAD~1')];
    expect(await readJson(session, `${at}/head`)).toMatchObject({
      branch: 'main',
      detached: false,
      commit: { oid: tip, parents: [first], author: 'Ann', message: 'Extend\n\nAll of it.' },
    });
    expect(await readJson(session, `${at}/refs`)).toEqual({
      refs: [
        { name: 'refs/heads/feature/x', oid: first },
        { name: 'refs/heads/main', oid: tip },
        { name: 'refs/tags/v1', oid: oidOf(top, 'v1'), peeled: first },
      ],
      total: 3,
      truncated: false,
    });
    expect(await readJson(session, `${at}/log`)).toMatchObject({ commits: [{ oid: tip }, { oid: first }] });
    expect(await readJson(session, `${at}/log?rev=feature%2Fx`)).toMatchObject({ commits: [{ oid: first }] });
    expect(await readJson(session, `${at}/tree/HEAD/`)).toMatchObject({
      entries: [
        { name: 'a.txt', type: 'blob', size: 8 },
        { name: 'src', type: 'tree' },
      ],
    });
    expect(await readJson(session, `${at}/tree/feature%2Fx/src`)).toMatchObject({ entries: [{ name: 'b.txt' }], total: 1 });
    const commit = await read(session, `${at}/commit/HEAD`);
    expect(commit).toMatchObject({ mimeType: 'text/plain', _meta: { oid: tip, truncated: false } });
    expect(commit.text).toContain('All of it.');
    expect(commit.text).toContain('+two');
  });

  it('returns diffs of the index, the work tree and commits', async () => {
    const top = await project();
    await writeIn(top, 'a.txt', 'one\nstaged\n');
    git(top, ['add', 'a.txt']);
    await writeIn(top, 'a.txt', 'one\nedited\n');
    await using session = await connectGit({ directories: [top] }, era);
    const at = `git://${await idOf(session)}/diff`;
    for (const [uri, before, after] of [
      ['staged', '-two', '+staged'],
      ['unstaged', '-staged', '+edited'],
      ['HEAD~1..main', ' one', '+two'],
      ['main..HEAD~1', ' one', '-two'],
    ]) {
      const { mimeType, text, _meta } = await read(session, `${at}/${uri}`);
      expect([mimeType, _meta], uri).toEqual(['text/x-diff', { truncated: false, escaped: false }]);
      expect(text.split('\n'), uri).toEqual(expect.arrayContaining([before, after]));
    }
  });

  it('shows each side of a conflict', async () => {
    const top = await conflicted();
    await using session = await connectGit({ directories: [top] }, era);
    const at = `git://${await idOf(session)}/conflict`;
    const sides = ['1', '2', '3'].map((stage) => read(session, `${at}/${stage}/${encodeURIComponent('a b#.txt')}`));
    expect((await Promise.all(sides)).map(({ text }) => text)).toEqual(['one\n', 'our\n', 'their\n']);
    for (const rest of ['4/a%20b%23.txt', '1/other', '1/..%2F..%2Fetc%2Fpasswd'])
      await expect(read(session, `${at}/${rest}`), rest).rejects.toMatchObject({ code: -32_602 });
  });

  it('without a commit has a HEAD, a status and no history', async () => {
    const top = await emptyRepository();
    await using session = await connectGit({ directories: [top] }, era);
    const at = `git://${await idOf(session)}`;
    expect(await readJson(session, `${at}/head`)).toMatchObject({ branch: 'main', detached: false });
    expect(await readJson(session, `${at}/refs`)).toEqual({ refs: [], total: 0, truncated: false });
    for (const kind of ['log', 'commit/HEAD', 'tree/HEAD/', 'diff/HEAD..main'])
      await expect(read(session, `${at}/${kind}`), kind).rejects.toMatchObject({ code: -32_602 });
  });

  it('reports a missing repository or revision', async () => {
    const top = await project();
    await using session = await connectGit({ directories: [top] }, era);
    const id = await idOf(session);
    for (const rest of [
      `${id}/commit/nowhere`,
      `${id}/commit/--output=x`,
      `${id}/commit/${'0'.repeat(40)}`,
      `${id}/log?rev=--output%3Dx`,
      `${id}/log?other=x`,
      `${id}/tree/HEAD/a.txt`,
      `${id}/tree/HEAD/..%2F..`,
      `${id}/tree/HEAD/.git`,
      `${id}/diff/main..nowhere`,
      `${id}/diff/--output=x..main`,
      `${id}/diff/main`,
      `${id}/nothing`,
      'other-01234567/head',
      `other-01234567/blob/${oidOf(top, 'HEAD')}/a.txt`,
    ])
      await expect(read(session, `git://${rest}`), rest).rejects.toMatchObject({ code: -32_602 });
  });

  it('continues its log at the cursor, which the client can complete', async () => {
    const top = await emptyRepository();
    for (let commit = 0; commit < 60; commit += 1) commitAt(top, `Commit ${commit}`, commit);
    await using session = await connectGit({ directories: [top] }, era);
    const id = await idOf(session);
    const page = (await readJson(session, `git://${id}/log`)) as { commits: unknown[]; next_cursor: string };
    expect(page.commits).toHaveLength(50);
    const ref = { type: 'ref/resource', uri: 'git://{repo}/log{?rev,cursor}' } as const;
    const argument = { name: 'cursor', value: '' };
    const { completion } = await session.client.complete({ ref, argument, context: { arguments: { repo: id } } });
    expect(completion.values).toEqual([page.next_cursor]);
    const rest = (await readJson(session, `git://${id}/log?cursor=${encodeURIComponent(page.next_cursor)}`)) as typeof page;
    expect(rest.commits.at(-1)).toMatchObject({ message: 'Commit 0' });
    expect(rest.commits).toHaveLength(10);
  });

  it('is truncated if it is large, and reports the truncation', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `file-${String(index).padStart(2, '0')}`);
    const top = await repositoryOf([
      ['Begin', { [names[0] ?? '']: 'x' }],
      ['Extend', Object.fromEntries(names.map((name) => [name, `${'x'.repeat(99)}\n`.repeat(10)]))],
    ]);
    await using session = await connectGit({ directories: [top], maxResourceBytes: 1024, maxEntries: 50 }, era);
    const at = `git://${await idOf(session)}`;
    const tree = await read(session, `${at}/tree/HEAD/`);
    expect(JSON.parse(tree.text)).toMatchObject({ total: 60, truncated: true });
    expect(Buffer.byteLength(tree.text)).toBeLessThan(1200);
    for (const uri of [`${at}/diff/HEAD~1..HEAD`, `${at}/commit/HEAD`]) {
      const { text, _meta } = await read(session, uri);
      expect(_meta).toMatchObject({ truncated: true });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
    }
  });
});

describe.each(ERAS)('a list of resources on a %s connection', (era) => {
  it('contains status, HEAD and refs of each repository, including a new one', async () => {
    const root = await temporaryDirectory();
    const one = await repositoryOf([['One', { a: 'x' }]], path.join(root, 'one'));
    await using session = await connectGit({ directories: [root] }, era);
    const changed = new Promise<void>((resolve) => {
      session.client.setNotificationHandler('notifications/resources/list_changed', () => resolve());
    });
    const stream = era === 'modern' ? await session.client.listen({ resourcesListChanged: true }) : undefined;
    const names = async (): Promise<readonly string[]> =>
      (await session.client.listResources({}, { cacheMode: 'bypass' })).resources.map(({ uri }) =>
        uri.replace(/-[0-9a-f]{8}/, ''),
      );
    expect(await names()).toEqual(['git://one/status', 'git://one/head', 'git://one/refs']);
    const { resources } = await session.client.listResources();
    for (const { uri, mimeType } of resources) expect(await read(session, uri)).toMatchObject({ mimeType });
    const elsewhere = await repositoryOf([['Two', { a: 'x' }]]);
    git(root, ['clone', '--quiet', elsewhere, 'two']);
    await changed;
    expect(await names()).toHaveLength(6);
    await rm(one, { recursive: true });
    await stream?.close();
  });
});
