import { existsSync } from 'node:fs';
import { chmod, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { gitHost } from '../fixtures/git-host.ts';
import { connectTo, extend, oidOf, scene, type Scene } from '../fixtures/remote-scene.ts';
import { connectGit, git, temporaryDirectory, userConfiguration, writeIn } from '../fixtures/temporary.ts';

const CALLS = [
  ['git_fetch', {}],
  ['git_pull', {}],
  ['git_push', {}],
] as const;

/** Configurations of a repository that would redirect connections, send secrets, or accept unsafe objects. */
const MISLEADING: readonly (readonly [string, string, string])[] = [
  ['a proxy', 'http.proxy', 'http://127.0.0.1:1'],
  ['a proxy for one host', 'http.http://127.0.0.1/.proxy', 'http://127.0.0.1:1'],
  ['a proxy of a remote', 'remote.origin.proxy', 'http://127.0.0.1:1'],
  ['certificates that are not looked at', 'http.sslVerify', 'false'],
  ['certificates that are not looked at for one host', 'http.https://example.com.sslVerify', 'false'],
  ['a certificate authority', 'http.sslCAInfo', '/etc/passwd'],
  ['a directory of authorities', 'http.sslCAPath', '/etc'],
  ['a client certificate', 'http.sslCert', '/etc/passwd'],
  ['a client key', 'http.sslKey', '/etc/passwd'],
  ['a file of cookies', 'http.cookieFile', '/etc/passwd'],
  ['cookies that are written', 'http.saveCookies', 'true'],
  ['a header', 'http.extraHeader', 'X-Planted: x'],
  ['a header for one host', 'http.http://127.0.0.1/.extraHeader', 'X-Planted: x'],
  ['other addresses of names', 'http.curloptResolve', 'github.com:443:127.0.0.1'],
  ['redirections', 'http.followRedirects', 'true'],
  ['endless patience', 'http.lowSpeedTime', '0'],
  ['empty credentials', 'http.emptyAuth', 'true'],
  ['a ticket that is passed on', 'http.delegation', 'always'],
  ['objects that are not looked at', 'fetch.fsck.hasDotgit', 'ignore'],
  ['a list of objects that are not looked at', 'fetch.fsck.skipList', '/etc/passwd'],
  ['bundles from elsewhere', 'fetch.bundleURI', 'http://127.0.0.1:1/x'],
  ['options for the server', 'remote.origin.serverOption', 'x'],
  ['an upload pack', 'remote.origin.uploadpack', 'touch x'],
  ['a receive pack', 'remote.origin.receivepack', 'touch x'],
  ['a remote helper', 'remote.origin.vcs', 'ext'],
  ['another scheme', 'url.ext::sh -c x.insteadOf', 'http://'],
];

describe('the configuration of a repository', () => {
  it('is rejected if it redirects connections', async () => {
    const place = await scene();
    await using session = await connectTo(place);
    for (const [what, key, value] of MISLEADING) {
      git(place.top, ['config', key, value]);
      for (const [tool, input] of CALLS) expect(await session.fails(tool, input), what).toMatch(/^REPO_UNTRUSTED/);
      git(place.top, ['config', '--unset-all', key]);
    }
    expect(place.host.requests).toEqual([]);
    await session.call('git_fetch');
  });

  it('is accepted if it sets only the HTTP version and buffer size', async () => {
    const place = await scene();
    git(place.top, ['config', 'http.postBuffer', '2000000']);
    git(place.top, ['config', 'http.version', 'HTTP/1.1']);
    await using session = await connectTo(place);
    await session.call('git_fetch');
  });

  it('starts no program: ssh, askpass, credential helpers, hooks', async () => {
    const { marker, program } = await planted();
    const host = await gitHost({ account: 'ann:secret' });
    const { top, root } = await scene();
    git(top, ['remote', 'set-url', 'origin', host.url('project')]);
    for (const key of [
      'core.sshCommand',
      'core.askPass',
      'credential.helper',
      `credential.${host.origin}.helper`,
      'gpg.program',
      'core.hooksPath',
    ])
      git(top, ['config', key, key.endsWith('helper') ? `!${program}` : program]);
    git(top, ['config', 'ssh.variant', 'simple']);
    git(top, ['config', 'push.gpgSign', 'true']);
    git(top, ['config', 'push.pushOption', 'planted']);
    for (const hook of ['pre-push', 'reference-transaction', 'post-merge'])
      await writeIn(top, `.git/hooks/${hook}`, `#!/bin/sh\n${program} ${hook}\n`);
    for (const hook of await readdir(path.join(top, '.git/hooks'))) await chmod(path.join(top, '.git/hooks', hook), 0o755);
    git(top, ['config', 'core.hooksPath', path.join(top, '.git/hooks')]);
    await using session = await connectTo({ host, root });
    for (const [tool, input] of CALLS) expect(await session.fails(tool, input)).toMatch(/^AUTH_REQUIRED/);
    expect(existsSync(marker)).toBe(false);
  });
});

describe('a signed commit that is pulled', () => {
  it('is not verified by a program that the repository configures', async () => {
    const place = await scene();
    const { marker, program } = await planted();
    const [tree, parent] = [oidOf(place.bare, 'main^{tree}'), oidOf(place.bare, 'main')];
    const who = 'Ann <ann@example.com> 1767225600 +0000';
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n';
    const input = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n${signature}\nSigned\n`;
    const signed = git(place.bare, ['hash-object', '-w', '-t', 'commit', '--stdin'], { input }).trim();
    git(place.bare, ['update-ref', 'refs/heads/main', signed]);
    for (const [key, value] of [
      ['gpg.program', program],
      ['merge.verifySignatures', 'true'],
      ['branch.main.mergeOptions', '--verify-signatures --squash'],
    ] as const)
      git(place.top, ['config', key, value]);
    await using session = await connectTo(place);
    await session.call('git_pull');
    expect(oidOf(place.top, 'main')).toBe(signed);
    expect(existsSync(marker)).toBe(false);
  });
});

/** Creates a program that writes a marker file. Returns the paths of both. */
async function planted(): Promise<{ readonly marker: string; readonly program: string }> {
  const directory = await temporaryDirectory();
  const marker = path.join(directory, 'executed');
  const program = await writeIn(directory, 'program', `#!/bin/sh\necho "$0 $*" >> ${marker}\n`);
  await chmod(program, 0o755);
  return { marker, program };
}

describe('a remote that requires authentication', () => {
  it('receives credentials only from the credential helper of the user', async () => {
    const host = await gitHost({ account: 'ann:secret' });
    const place = await scene();
    await host.add('project', place.top);
    const { marker, program } = await planted();
    git(place.top, ['remote', 'set-url', 'origin', host.url('project')]);
    git(place.top, ['config', 'credential.helper', `!${program}`]);
    git(place.top, ['config', `credential.${host.origin}.helper`, `!${program}`]);
    await userConfiguration('[credential]\n\thelper = "!f() { echo username=ann; echo password=secret; }; f"\n');
    await using session = await connectTo({ host, root: place.root });
    await session.call('git_fetch');
    extend(place.top, 'Mine');
    await session.call('git_push');
    await session.call('git_clone', { url: host.url('project'), path: 'copy' });
    expect(existsSync(marker)).toBe(false);
    expect(await readFile(path.join(place.root, 'copy/.git/config'), 'utf8')).not.toContain('secret');
  });

  it('receives credentials only from a credential helper for that host', async () => {
    const host = await gitHost({ account: 'ann:secret' });
    const place = await scene();
    await host.add('project', place.top);
    const helper = 'helper = "!f() { echo username=ann; echo password=secret; }; f"';
    await userConfiguration(
      `[credential "http://other.example"]\n\t${helper.replace('secret', 'other')}\n[credential "${host.origin}"]\n\t${helper}\n`,
    );
    await using session = await connectTo({ host, root: place.root });
    await session.call('git_clone', { url: host.url('project'), path: 'copy' });
    expect(new Set(host.authorizations)).toEqual(new Set([`Basic ${Buffer.from('ann:secret').toString('base64')}`]));
  });

  it('makes a call without credentials fail immediately, without a prompt and without leftover files', async () => {
    const host = await gitHost({ account: 'ann:secret' });
    const place = await scene();
    git(place.top, ['remote', 'set-url', 'origin', host.url('project')]);
    await using session = await connectTo({ host, root: place.root });
    for (const [tool, input] of [...CALLS, ['git_clone', { url: host.url('project'), path: 'copy' }]] as const)
      expect(await session.fails(tool, input)).toMatch(
        /^AUTH_REQUIRED: .*\nthis MCP server does not prompt for credentials: log in/,
      );
    expect(await readdir(place.root)).toEqual(['project']);
  });

  it('is reported differently from a missing repository if it rejects the user', async () => {
    const host = await gitHost({
      answer: (_, response) => {
        response.writeHead(403).end();
        return true;
      },
    });
    await using session = await connectTo({ host, root: await temporaryDirectory() });
    expect(await session.fails('git_clone', { url: host.url('x'), path: 'x' })).toMatch(/^AUTH_REQUIRED/);
    const nowhere = { origin: 'http://127.0.0.1:1' };
    await using other = await connectGit({
      directories: [await temporaryDirectory()],
      remoteHosts: [nowhere.origin, 'none.invalid'],
    });
    expect(await other.fails('git_clone', { url: `${nowhere.origin}/x`, path: 'x' })).toMatch(/^NETWORK/);
    expect(await other.fails('git_clone', { url: 'https://none.invalid/x', path: 'x' })).toMatch(/^NETWORK/);
  });
});

/** Puts a program `ssh` on the search path that records its arguments and runs a script. Returns the path of the records. */
async function sshOf(place: Scene, script: string): Promise<string> {
  const directory = await temporaryDirectory();
  const told = path.join(directory, 'told');
  const ssh = await writeIn(
    directory,
    'ssh',
    `#!/bin/sh\n{ echo "$*"; echo "agent=$SSH_AUTH_SOCK"; } >> ${told}\nfor last; do :; done\n${script}\n`,
  );
  await chmod(ssh, 0o755);
  vi.stubEnv('PATH', `${directory}:${process.env['PATH']}`);
  vi.stubEnv('SSH_AUTH_SOCK', '/agent');
  git(place.top, ['remote', 'set-url', 'origin', `git@example.com:${place.bare}`]);
  return told;
}

describe('ssh', () => {
  it('runs in batch mode, with the agent of the user and without the settings of the repository', async () => {
    const place = await scene();
    const { marker, program } = await planted();
    git(place.top, ['config', 'core.sshCommand', program]);
    git(place.top, ['config', 'ssh.variant', 'tortoiseplink']);
    try {
      const told = await sshOf(place, 'exec sh -c "$last"');
      const oid = extend(place.top, 'Mine');
      await using session = await connectGit({ directories: [place.root], remoteHosts: ['example.com'] });
      await session.call('git_push');
      expect(oidOf(place.bare, 'main')).toBe(oid);
      await session.call('git_fetch');
      await session.call('git_status');
      const lines = (await readFile(told, 'utf8')).split('\n');
      expect(lines.filter((line) => line !== '' && line !== 'agent=/agent')).toEqual([
        expect.stringMatching(/^-oBatchMode=yes .*git@example\.com git-receive-pack '/),
        expect.stringMatching(/^-oBatchMode=yes .*git@example\.com git-upload-pack '/),
      ]);
      expect(existsSync(marker)).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([
    [
      'does not know the key of the host',
      'echo "Host key verification failed." >&2; exit 255',
      /^AUTH_REQUIRED: the SSH host key is unknown/,
    ],
    [
      'is denied access',
      'echo "git@example.com: Permission denied (publickey)." >&2; exit 255',
      /^AUTH_REQUIRED: the remote requires authentication or denies access/,
    ],
    ['finds no host', 'echo "ssh: Could not resolve hostname example.com" >&2; exit 255', /^NETWORK/],
    ['finds no repository', 'echo "fatal: \'/x\' does not appear to be a git repository" >&2; exit 128', /^REMOTE_NOT_FOUND/],
  ])('fails immediately if it %s', async (_, script, refusal) => {
    const place = await scene();
    try {
      await sshOf(place, script);
      await using session = await connectGit({ directories: [place.root] });
      expect(await session.fails('git_fetch')).toMatch(refusal);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
