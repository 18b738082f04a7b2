import { readdir } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { gitHost } from '../fixtures/git-host.ts';
import { connectTo, extend, extendThere, oidOf, scene } from '../fixtures/remote-scene.ts';
import { git, temporaryDirectory } from '../fixtures/temporary.ts';

/** Creates a commit whose tree git itself would reject, on the main branch of a bare repository. */
function plant(bare: string, entries: readonly (readonly [mode: string, name: string, oid: string])[]): void {
  const body = Buffer.concat(entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]));
  const tree = git(bare, ['hash-object', '-w', '--literally', '-t', 'tree', '--stdin'], { input: body }).trim();
  const commit = git(bare, ['commit-tree', tree, '-m', 'Planted', '-p', 'main']).trim();
  git(bare, ['update-ref', 'refs/heads/main', commit]);
}

function blob(bare: string, content: string): string {
  return git(bare, ['hash-object', '-w', '--stdin'], { input: content }).trim();
}

const TREES: readonly (readonly [string, (bare: string) => void])[] = [
  [
    'a hook in .git',
    (bare) => {
      const hook = blob(bare, '#!/bin/sh\ntouch executed\n');
      const body = Buffer.concat([Buffer.from('100755 post-checkout\0'), Buffer.from(hook, 'hex')]);
      const hooks = git(bare, ['hash-object', '-w', '-t', 'tree', '--stdin'], { input: body }).trim();
      const inner = Buffer.concat([Buffer.from('40000 hooks\0'), Buffer.from(hooks, 'hex')]);
      const dot = git(bare, ['hash-object', '-w', '-t', 'tree', '--stdin'], { input: inner }).trim();
      plant(bare, [['40000', '.git', dot]]);
    },
  ],
  ['a .GIT', (bare) => plant(bare, [['100644', '.GIT', blob(bare, 'x')]])],
  ['a name that Windows takes for .git', (bare) => plant(bare, [['100644', 'git~1', blob(bare, 'x')]])],
  ['a directory named ..', (bare) => plant(bare, [['40000', '..', oidOf(bare, 'main^{tree}')]])],
  ['a path as a name', (bare) => plant(bare, [['100644', 'a/../../x', blob(bare, 'x')]])],
  ['a .gitmodules that is a link', (bare) => plant(bare, [['120000', '.gitmodules', blob(bare, '/etc/passwd')]])],
  [
    'a submodule whose URL is an option',
    (bare) =>
      plant(bare, [['100644', '.gitmodules', blob(bare, '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch x\n')]]),
  ],
];

describe('a response of a remote that contains', () => {
  it.each(TREES)('%s is rejected', async (_, planted) => {
    const place = await scene();
    const before = oidOf(place.top, 'origin/main');
    planted(place.bare);
    await using session = await connectTo(place);
    expect(await session.fails('git_fetch')).toMatch(/^UNSAFE_OBJECTS/);
    expect(await session.fails('git_pull')).toMatch(/^UNSAFE_OBJECTS/);
    expect(oidOf(place.top, 'origin/main')).toBe(before);
    expect(await session.fails('git_clone', { url: place.host.url('project'), path: 'copy' })).toMatch(/^UNSAFE_OBJECTS/);
    expect(await readdir(place.root)).toEqual(['project']);
  });

  it('terminal escapes in an error is shown with the escapes visible', async () => {
    const text = 'ERR \u001B[2J\u001B]0;owned\u0007 ignore\rall';
    const host = await gitHost({
      answer: (_, response) => {
        const service = '# service=git-upload-pack\n';
        const line = (content: string): string => (content.length + 4).toString(16).padStart(4, '0') + content;
        response.setHeader('Content-Type', 'application/x-git-upload-pack-advertisement');
        response.end(`${line(service)}0000${line(text)}`);
        return true;
      },
    });
    await using session = await connectTo({ host, root: await temporaryDirectory() });
    expect(await session.fails('git_clone', { url: host.url('x'), path: 'x' })).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('a different tag with the name of a local tag does not change the local tag', async () => {
    const place = await scene();
    const before = oidOf(place.top, 'v1');
    git(place.bare, ['tag', '--force', 'v1', 'main']);
    await using session = await connectTo(place);
    expect(await session.fails('git_fetch', { tags: true })).toMatch(/^CONFLICT/);
    expect(oidOf(place.top, 'v1')).toBe(before);
  });
});

describe('a push that a caller requests', () => {
  it('pushes nothing if the branch or remote is an option, a pattern or a path', async () => {
    const place = await scene();
    extend(place.top, 'Mine');
    const before = git(place.bare, ['for-each-ref']);
    await using session = await connectTo(place);
    for (const branch of ['--mirror', ':main', '+main', 'main:other', '*', 'refs/heads/*:refs/heads/*', '', '--all', '^main'])
      expect(await session.fails('git_push', { branch }), branch).toMatch(/^INVALID_RE(?:F_NAME|VISION)/);
    for (const remote of ['--mirror', '--receive-pack=touch x', '--exec=touch x', '.', '..', place.bare, `file://${place.bare}`])
      expect(await session.fails('git_push', { remote }), remote).toMatch(/^(?:INVALID_REF_NAME|REMOTE_NOT_FOUND)/);
    for (const remote of ['--upload-pack=touch x', '--upload=touch x', '-u touch x', '--all', '--multiple'])
      expect(await session.fails('git_fetch', { remote }), remote).toMatch(/^INVALID_REF_NAME/);
    expect(git(place.bare, ['for-each-ref'])).toBe(before);
    expect((await readdir(place.top)).sort()).toEqual(['.git', 'a.txt']);
  });

  it('is rejected if the configuration sets mirror', async () => {
    const place = await scene();
    git(place.top, ['config', 'remote.origin.mirror', 'true']);
    const before = git(place.bare, ['for-each-ref']);
    await using session = await connectTo(place);
    await session.fails('git_push');
    expect(git(place.bare, ['for-each-ref'])).toBe(before);
  });

  it('does not overwrite or delete a protected branch, even if the user confirms', async () => {
    const place = await scene();
    git(place.top, ['commit', '--quiet', '--amend', '--allow-empty', '--message=Other']);
    const before = git(place.bare, ['for-each-ref']);
    await using session = await connectTo(place, { answers: { elicitation: { confirm: true } } });
    expect(await session.fails('git_push', { force: true })).toMatch(/^PROTECTED_BRANCH/);
    expect(await session.fails('git_push', { branch: 'main', delete: true })).toMatch(/^PROTECTED_BRANCH/);
    expect(await session.fails('git_push', { branch: 'main', delete: true, dry_run: true })).toMatch(/^PROTECTED_BRANCH/);
    expect(git(place.bare, ['for-each-ref'])).toBe(before);
  });
});

describe('a user who declines', () => {
  it.each([['decline'], [{ confirm: false }]] as const)('changes nothing: %j', async (elicitation) => {
    const place = await scene();
    await extendThere(place.bare, 'topic', 'There');
    git(place.top, ['switch', '--quiet', 'topic']);
    extend(place.top, 'Mine');
    await using session = await connectTo(place, { answers: { elicitation } });
    await session.call('git_fetch');
    const before = git(place.bare, ['for-each-ref']) + git(place.top, ['for-each-ref']) + git(place.top, ['config', '--list']);
    for (const [tool, input] of [
      ['git_push', { force: true }],
      ['git_push', { branch: 'topic', delete: true }],
      ['git_remote_remove', { name: 'origin' }],
      ['git_remote_set_url', { name: 'origin', url: place.host.url('other') }],
    ] as const)
      expect(await session.fails(tool, input)).toMatch(/^DECLINED: the user declined/);
    expect(git(place.bare, ['for-each-ref']) + git(place.top, ['for-each-ref']) + git(place.top, ['config', '--list'])).toBe(
      before,
    );
  });

  it('does not exist for a client without dialogues: nothing changes, and the error mentions dry_run', async () => {
    const place = await scene();
    await using session = await connectTo(place);
    const before = git(place.bare, ['for-each-ref']) + git(place.top, ['config', '--list']);
    for (const [tool, input] of [
      ['git_push', { branch: 'topic', delete: true }],
      ['git_remote_remove', { name: 'origin' }],
      ['git_remote_set_url', { name: 'origin', url: place.host.url('other') }],
    ] as const)
      expect(await session.fails(tool, input)).toMatch(/^CONFIRMATION_REQUIRED: [^]*dry_run/);
    expect(git(place.bare, ['for-each-ref']) + git(place.top, ['config', '--list'])).toBe(before);
  });
});
