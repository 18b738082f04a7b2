import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { gitHost } from '../fixtures/git-host.ts';
import { connectTo, oidOf, scene } from '../fixtures/remote-scene.ts';
import { connectGit, git, repositoryOf, temporaryDirectory, userConfiguration } from '../fixtures/temporary.ts';

const URLS = [
  '-u touch x',
  '--upload-pack=touch x',
  'ext::sh -c x',
  'ext::sh% -c% x',
  'fd::17',
  'fd::17/foo',
  'file:///etc',
  'FILE:///etc',
  '../other',
  './a:b',
  '.',
  'C:\\x',
  'c:/x',
  'git://example.com/x',
  'ftp://example.com/x',
  'transport::https://example.com/x',
  'ssh://-oProxyCommand=x/',
  'ssh://-oProxyCommand=x@example.com/',
  'ssh://%2doProxyCommand=x/y',
  'ssh://user@-oProxyCommand=x/y',
  '-oProxyCommand=x:y',
  'user@-oProxyCommand=x:y',
  'example.com:-oProxyCommand=x',
  'example.com:--upload-pack=x',
  'HTTPS://example.com/x',
  'https://example.com\\@evil.example/x',
  'https://a@b@example.com/x',
  'https://example.com/x\n--upload-pack=y',
  'https://example.com/x y',
  'https:///x',
  'https://',
  '',
  'https://example.com\0/x',
  'git+ssh://example.com/x',
  `https://example.com/${'x'.repeat(100_000)}`,
] as const;

const SECRETS = [
  'https://user:t0ken@example.com/x',
  'https://:t0ken@example.com/x',
  'https://user:@example.com/x',
  'https://ghp_012345678901234567890123456789@example.com/x',
  'https://example.com/x?access_token=t0ken',
  'ssh://user:t0ken@example.com/x',
];

describe('a URL that is neither https nor ssh nor a directory inside the roots', () => {
  it('is rejected by every tool that accepts a URL, and nothing is written', async () => {
    const root = await temporaryDirectory();
    const top = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'project'));
    git(top, ['remote', 'add', 'origin', 'https://example.com/x']);
    const before = await readFile(path.join(top, '.git/config'), 'utf8');
    await using session = await connectGit({ directories: [root] });
    for (const url of URLS)
      for (const [tool, input] of [
        ['git_clone', { url, path: 'copy' }],
        ['git_remote_add', { url, name: 'new' }],
        ['git_remote_set_url', { url, name: 'origin' }],
      ] as const)
        expect(await session.fails(tool, input), `${tool} ${url.slice(0, 60)}`).toMatch(/^INVALID_URL/);
    expect(await readdir(root)).toEqual(['project']);
    expect(await readFile(path.join(top, '.git/config'), 'utf8')).toBe(before);
  });

  it.each([
    ['ext::sh -c "touch executed"', 'INVALID_URL'],
    ['file:///etc', 'INVALID_URL'],
    ['/etc', 'PATH_OUTSIDE_ROOTS'],
    ['//127.0.0.1/x', 'INVALID_URL'],
    ['fd::17', 'INVALID_URL'],
    ['git://127.0.0.1/x', 'INVALID_URL'],
    ['ssh://-oProxyCommand=x/', 'INVALID_URL'],
  ])('is rejected if the configuration contains it: %s', async (url, code) => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    git(top, ['config', 'remote.origin.url', url]);
    await using session = await connectGit({ directories: [top] });
    for (const [tool, input] of [
      ['git_fetch', {}],
      ['git_pull', { branch: 'main' }],
      ['git_push', {}],
    ] as const)
      expect(await session.fails(tool, input)).toMatch(new RegExp(`^${code}`));
    expect((await readdir(top)).sort()).toEqual(['.git', 'a']);
  });
});

describe('a URL with a password or a token', () => {
  it.each(SECRETS)('is rejected and not written to the configuration: %s', async (url) => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    git(top, ['remote', 'add', 'origin', 'https://example.com/x']);
    await using session = await connectGit({ directories: [path.dirname(top)] });
    for (const [tool, input] of [
      ['git_clone', { url, path: 'copy' }],
      ['git_remote_add', { url, name: 'new' }],
      ['git_remote_set_url', { url, name: 'origin' }],
    ] as const) {
      const text = await session.fails(tool, input);
      expect(text).toMatch(/^INVALID_URL: the URL contains a password/);
      expect(text).not.toMatch(/t0ken|ghp_/);
    }
    expect(git(top, ['config', '--list', '--local'])).not.toMatch(/t0ken|ghp_/);
  });

  it('is redacted if it is configured: in lists, questions, results, errors and git output', async () => {
    const place = await scene();
    const { host, top } = place;
    const secret = host.url('project').replace('://', '://ann:t0ken@');
    git(top, ['remote', 'set-url', 'origin', secret]);
    git(top, ['remote', 'set-url', '--push', 'origin', secret]);
    git(top, ['remote', 'add', 'gone', host.url('nothing').replace('://', '://ann:t0ken@')]);
    git(place.bare, ['branch', 'more', 'main']);
    await using session = await connectTo(place);
    const shown = host.url('project').replace('://', '://ann:***@');
    expect((await session.call('git_remote_list')).structuredContent).toMatchObject({
      remotes: [{ name: 'origin', url: shown, push_url: shown }, { name: 'gone' }],
    });
    const answers = [
      await session.call('git_remote_list'),
      await session.call('git_fetch'),
      await session.call('git_pull'),
      await session.call('git_push', { tags: true }),
      await session.call('git_push', { branch: 'topic', delete: true, dry_run: true }),
      await session.call('git_remote_remove', { name: 'gone', dry_run: true }),
      await session.call('git_remote_set_url', { name: 'origin', url: host.url('other'), dry_run: true }),
      await session.client.callTool({ name: 'git_remote_remove', arguments: { name: 'origin' } }),
      await session.client.callTool({ name: 'git_remote_set_url', arguments: { name: 'origin', url: host.url('other') } }),
      await session.client.callTool({ name: 'git_fetch', arguments: { remote: 'gone' } }),
      await session.client.callTool({ name: 'git_fetch', arguments: { branch: 'nowhere' } }),
    ];
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain('t0ken');
    const logs = await readdir(path.join(top, '.git/logs'), { recursive: true, withFileTypes: true });
    const files = logs.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    expect(files).not.toEqual([]);
    for (const file of files) expect(await readFile(file, 'utf8')).not.toContain('t0ken');
    expect(await readdir(path.join(top, '.git'))).not.toContain('FETCH_HEAD');
  });
});

describe('a host that is not allowed', () => {
  it('is not contacted: by URL, by pushurl, by URL rewrites of the user or the repository', async () => {
    const place = await scene();
    const { host, top, root } = place;
    const other = await gitHost();
    await other.add('project', top);
    await using session = await connectTo(place);
    const refused = async (tool: string, input: Readonly<Record<string, unknown>>): Promise<void> =>
      expect(await session.fails(tool, input), `${tool} ${JSON.stringify(input)}`).toMatch(/^HOST_NOT_ALLOWED/);
    await refused('git_clone', { url: other.url('project'), path: 'copy' });
    await refused('git_clone', { url: 'https://127.0.0.1/project.git', path: 'copy' });
    await refused('git_clone', { url: 'git@127.0.0.1:project.git', path: 'copy' });
    await refused('git_remote_add', { url: other.url('project'), name: 'new' });
    await refused('git_remote_set_url', { url: other.url('project'), name: 'origin' });
    git(top, ['remote', 'set-url', '--push', 'origin', other.url('project')]);
    await refused('git_push', {});
    git(top, ['remote', 'set-url', '--push', '--add', 'origin', host.url('project')]);
    await refused('git_push', {});
    git(top, ['config', '--unset-all', 'remote.origin.pushurl']);
    git(top, ['config', `url.${other.origin}/.insteadOf`, `${host.origin}/`]);
    for (const tool of ['git_fetch', 'git_pull', 'git_push']) await refused(tool, {});
    git(top, ['config', '--remove-section', `url.${other.origin}/`]);
    expect(other.requests).toEqual([]);
    expect(await readdir(root)).toEqual(['project']);
  });

  it('is not contacted through a URL rewrite of the user', async () => {
    const place = await scene();
    const other = await gitHost();
    await userConfiguration(`[url "${other.origin}/"]\n\tinsteadOf = ${place.host.origin}/\n`);
    await using session = await connectTo(place);
    for (const tool of ['git_fetch', 'git_pull', 'git_push']) expect(await session.fails(tool)).toMatch(/^HOST_NOT_ALLOWED/);
    expect(await session.fails('git_clone', { url: place.host.url('project'), path: 'copy' })).toMatch(/^HOST_NOT_ALLOWED/);
    expect([...place.host.requests, ...other.requests]).toEqual([]);
  });

  it('is not reached by a redirection', async () => {
    const other = await gitHost();
    await other.add('project');
    const host = await gitHost({
      answer: (request, response) => {
        response.writeHead(302, { Location: `${other.origin}${request.url}` }).end();
        return true;
      },
    });
    const root = await temporaryDirectory();
    const top = await repositoryOf([['Begin', { a: 'x' }]], path.join(root, 'project'));
    git(top, ['remote', 'add', 'origin', host.url('project')]);
    await using session = await connectTo({ host, root });
    expect(await session.fails('git_clone', { url: host.url('project'), path: 'copy' })).toMatch(/^HOST_NOT_ALLOWED/);
    expect(await session.fails('git_fetch')).toMatch(/^HOST_NOT_ALLOWED/);
    expect(await session.fails('git_push')).toMatch(/^HOST_NOT_ALLOWED/);
    expect(other.requests).toEqual([]);
    expect(host.requests).not.toEqual([]);
    expect(await readdir(root)).toEqual(['project']);
  });

  it('is not contacted over plain http', async () => {
    const { host, root, top } = await scene();
    await using session = await connectGit({ directories: [root] });
    expect(await session.fails('git_clone', { url: host.url('project'), path: 'copy' })).toMatch(/^HOST_NOT_ALLOWED/);
    expect(await session.fails('git_fetch')).toMatch(/^HOST_NOT_ALLOWED/);
    expect(host.requests).toEqual([]);
    expect(oidOf(top, 'HEAD')).toBe(oidOf(top, 'origin/main'));
  });
});
