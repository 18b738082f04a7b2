import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { connectGit, git, repositoryOf, temporaryDirectory, userConfiguration, writeIn } from '../../fixtures/temporary.ts';

function oidOf(top: string, revision: string): string {
  return git(top, ['rev-parse', revision]).trim();
}

async function stagedProject(): Promise<string> {
  const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
  await writeIn(top, 'a.txt', 'two\n');
  git(top, ['add', '.']);
  return top;
}

/**
 * Program that replaces `ssh-keygen -Y` as far as git uses it. It signs and verifies with a key of Node.js, and records the
 * operation, GNUPGHOME and SSH_AUTH_SOCK of each call.
 */
const SIGNER = `#!${process.execPath}
const { createPublicKey, sign, verify } = require('node:crypto');
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const after = (flag) => args[args.indexOf(flag) + 1];
const { GNUPGHOME, SSH_AUTH_SOCK } = process.env;
appendFileSync(__dirname + '/asked', [after('-Y'), GNUPGHOME, SSH_AUTH_SOCK].join(' ') + '\\n');
const begin = '-----BEGIN SSH SIGNATURE-----\\n';
if (after('-Y') === 'sign') {
  const signature = sign(null, readFileSync(args.at(-1)), readFileSync(after('-f'))).toString('base64');
  writeFileSync(args.at(-1) + '.sig', begin + signature + '\\n-----END SSH SIGNATURE-----\\n');
} else if (after('-Y') === 'find-principals') console.log('ann@example.com');
else {
  const signature = Buffer.from(readFileSync(after('-s'), 'utf8').slice(begin.length).split('\\n')[0], 'base64');
  const isGood = verify(null, readFileSync(0), createPublicKey(readFileSync(after('-f'))), signature);
  if (isGood) console.log('Good "git" signature for ann@example.com with ED25519 key SHA256:ann');
  process.exitCode = isGood ? 0 : 255;
}
`;

async function withSigner(home: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  for (const name of ['key', 'signers']) await writeFile(path.join(home, name), pem);
  await writeFile(path.join(home, 'signer'), SIGNER, { mode: 0o755 });
  await appendFile(path.join(home, '.gitconfig'), `[gpg "ssh"]\n\tprogram = ${home}/signer\n`);
}

const SSH_KEYGEN = 'ssh-keygen';

async function withSshKeygen(home: string): Promise<void> {
  execFileSync(SSH_KEYGEN, ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(home, 'key')]);
  const key = await readFile(path.join(home, 'key.pub'), 'utf8');
  await writeFile(path.join(home, 'signers'), `ann@example.com namespaces="git" ${key}`);
}

/** Cases with a replacement of ssh-keygen on every machine, and with the installed ssh-keygen if it exists. */
const SIGNERS = [
  ['another program', withSigner, ['sign /keys /agent', 'find-principals /keys /agent', 'verify /keys /agent', '']] as const,
  ...(isInstalled(SSH_KEYGEN) ? [[SSH_KEYGEN, withSshKeygen, ['']] as const] : []),
];

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((directory) => existsSync(path.join(directory, program)));
}

const [GPG, GPG_CONFIGURATION, GPG_AGENT] = ['gpg', 'gpgconf', 'gpg-agent'] as const;

/** A directory with OpenPGP keys, and the function that runs gpg with these keys. */
interface KeyRing {
  readonly directory: string;
  gpg(...args: readonly string[]): Buffer;
}

async function keyRing(): Promise<KeyRing> {
  // The agent listens in this directory, and the path of a socket has at most 107 bytes.
  const directory = await temporaryDirectory();
  await chmod(directory, 0o700);
  const gpg = (...args: readonly string[]): Buffer =>
    execFileSync(GPG, ['--homedir', directory, '--batch', '--quiet', '--passphrase', '', ...args], { stdio: 'pipe' });
  onTestFinished(() => void execFileSync(GPG_CONFIGURATION, ['--homedir', directory, '--kill', 'all'], { stdio: 'pipe' }));
  return { directory, gpg };
}

describe('a signature', () => {
  /** Creates a home directory whose configuration names a signing program. @param program shell commands of this program */
  async function home(program: string): Promise<string> {
    const directory = await userConfiguration('[user]\n\tsigningKey = ANN\n');
    await appendFile(path.join(directory, '.gitconfig'), `[gpg]\n\tprogram = ${directory}/sign\n`);
    await writeFile(path.join(directory, 'sign'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    return directory;
  }
  const SIGNS = `cat > /dev/null; echo "$*" > "$(dirname "$0")/asked"; echo "[GNUPG:] SIG_CREATED x" >&2; echo "-----BEGIN PGP SIGNATURE-----"; echo x; echo "-----END PGP SIGNATURE-----"`;

  async function planted(): Promise<{ readonly top: string; readonly marker: string }> {
    const top = await stagedProject();
    const marker = path.join(path.dirname(top), 'executed');
    const trap = path.join(path.dirname(top), 'trap');
    await writeFile(trap, `#!/bin/sh\ntouch ${marker}\nexit 1\n`, { mode: 0o755 });
    for (const key of ['gpg.program', 'gpg.openpgp.program', 'gpg.ssh.program', 'gpg.x509.program', 'gpg.ssh.defaultKeyCommand'])
      git(top, ['config', key, trap]);
    for (const [key, value] of [
      ['gpg.format', 'ssh'],
      ['user.signingKey', '--output=x'],
      ['commit.gpgSign', 'true'],
      ['tag.gpgSign', 'true'],
      ['tag.forceSignAnnotated', 'true'],
    ] as const)
      git(top, ['config', key, value]);
    return { top, marker };
  }

  it("is made by the user's own program and key, never by the repository's", async () => {
    const { top, marker } = await planted();
    const directory = await home(SIGNS);
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_commit', { message: 'Signed', sign: true })).structuredContent).toMatchObject({
      signed: true,
    });
    await session.call('git_tag_create', { name: 'v1', message: 'One', sign: true });
    await session.call('git_tag_create', { name: 'v2', message: 'Two' });
    await session.call('git_commit', { message: 'Unsigned', allow_empty: true });
    expect(existsSync(marker)).toBe(false);
    expect(git(top, ['cat-file', 'commit', 'HEAD~1'])).toContain('BEGIN PGP SIGNATURE');
    expect(git(top, ['cat-file', 'tag', 'v1'])).toContain('BEGIN PGP SIGNATURE');
    for (const object of ['HEAD', 'v2']) expect(git(top, ['cat-file', '-p', object])).not.toContain('SIGNATURE');
    expect(await readFile(path.join(directory, 'asked'), 'utf8')).toBe('--status-fd=2 -bsau ANN\n');
    expect((await session.call('git_tag_verify', { name: 'v1' })).structuredContent).toMatchObject({
      signed: true,
      valid: false,
    });
    expect((await session.call('git_verify_commits')).structuredContent).toMatchObject({
      commits: [{ signature: 'none' }, { signature: 'unverifiable' }, { signature: 'none' }],
    });
    expect(existsSync(marker)).toBe(false);
  });

  it('leaves no commit if signing fails', async () => {
    const { top, marker } = await planted();
    await home('echo "no secret key" >&2; exit 2');
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails('git_commit', { message: 'x', sign: true })).toMatch(
      /^SIGNING_FAILED: signing failed: error: gpg failed to sign/,
    );
    expect(await session.fails('git_tag_create', { name: 'v1', message: 'x', sign: true })).toMatch(/^SIGNING_FAILED/);
    expect(await session.fails('git_tag_create', { name: 'v1', sign: true })).toMatch(/^INVALID_ARGUMENTS/);
    expect(git(top, ['log', '--format=%s'])).toBe('Begin\n');
    expect(existsSync(marker)).toBe(false);
  });
});

describe('a signature with an SSH key', () => {
  it.each(SIGNERS)("is created by %s and verified with the user's own keys", async (_, prepare, expected) => {
    const top = await stagedProject();
    for (const key of ['gpg.ssh.allowedSignersFile', 'user.signingKey']) git(top, ['config', key, '/dev/null']);
    const home = await userConfiguration('[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tallowedSignersFile = ~/signers\n');
    await appendFile(path.join(home, '.gitconfig'), `[user]\n\tsigningKey = ${home}/key\n`);
    await prepare(home);
    vi.stubEnv('GNUPGHOME', '/keys');
    vi.stubEnv('SSH_AUTH_SOCK', '/agent');
    await using session = await connectGit({ directories: [top] });
    expect((await session.call('git_commit', { message: 'Signed', sign: true })).structuredContent).toMatchObject({
      signed: true,
    });
    expect(git(top, ['cat-file', 'commit', 'HEAD'])).toContain('BEGIN SSH SIGNATURE');
    await session.call('git_tag_create', { name: 'v1', message: 'One', sign: true });
    const verified = { signed: true, valid: true, signer: 'ann@example.com', key: expect.stringMatching(/^SHA256:/) };
    expect((await session.call('git_tag_verify', { name: 'v1' })).structuredContent).toMatchObject(verified);
    const forged = git(top, ['cat-file', 'tag', 'v1']).replace('One', 'Two');
    git(top, ['update-ref', 'refs/tags/v2', git(top, ['hash-object', '-t', 'tag', '-w', '--stdin'], { input: forged }).trim()]);
    expect((await session.call('git_tag_verify', { name: 'v2' })).structuredContent).toMatchObject({
      signed: true,
      valid: false,
    });
    const changed = git(top, ['cat-file', 'commit', 'HEAD']).replace(/\n\nSigned/, '\n\nChanged');
    const other = git(top, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input: changed }).trim();
    const { structuredContent } = await session.call('git_verify_commits', { revision: 'HEAD', limit: 2 });
    expect(structuredContent).toEqual({
      commits: [
        { oid: oidOf(top, 'HEAD'), subject: 'Signed', signature: 'valid', signer: 'ann@example.com', key: verified.key },
        { oid: oidOf(top, 'HEAD~1'), subject: 'Begin', signature: 'none' },
      ],
    });
    expect(await session.text('git_verify_commits', { revision: other, limit: 1 })).toMatch(
      /^Valid signatures: 0 of 1\n[0-9a-f]{12} invalid.*: Changed\n… more commits exist/,
    );
    const asked = await readFile(path.join(home, 'asked'), 'utf8').catch(() => '');
    expect([...new Set(asked.split('\n'))]).toEqual(expected);
  });
});

describe.runIf(isInstalled(GPG_AGENT))('a signature with an OpenPGP key', () => {
  it('is created and verified with the keys of the user', async () => {
    const ring = await keyRing();
    ring.gpg('--quick-generate-key', 'Ann <ann@example.com>', 'ed25519', 'sign', 'never');
    const key = /^fpr:+([0-9A-F]{40}):/m.exec(ring.gpg('--with-colons', '--list-keys').toString('utf8'))?.[1];
    const top = await stagedProject();
    await userConfiguration(`[user]\n\tsigningKey = ${key}\n`);
    vi.stubEnv('GNUPGHOME', ring.directory);
    await using session = await connectGit({ directories: [top] });
    await session.call('git_commit', { message: 'Signed', sign: true });
    await session.call('git_tag_create', { name: 'v1', message: 'One', sign: true });
    const valid = { signature: 'valid', signer: 'Ann <ann@example.com>', key };
    const verify = async (revision: string): Promise<unknown> =>
      (await session.call('git_verify_commits', { revision, limit: 1 })).structuredContent;
    expect(await verify('HEAD')).toMatchObject({ commits: [{ subject: 'Signed', ...valid }] });
    const tag = { signed: true, valid: true, signer: valid.signer, key: expect.stringContaining(key?.slice(-16) ?? '') };
    expect((await session.call('git_tag_verify', { name: 'v1' })).structuredContent).toMatchObject(tag);
    const changed = git(top, ['cat-file', 'commit', 'HEAD']).replace(/\n\nSigned/, '\n\nChanged');
    const forged = git(top, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input: changed }).trim();
    expect(await verify(forged)).toMatchObject({ commits: [{ subject: 'Changed', signature: 'invalid' }] });
    // Another user has the public key without a statement that it is trustworthy, and later no key.
    const other = await keyRing();
    const publicKey = path.join(other.directory, 'public');
    await writeFile(publicKey, ring.gpg('--export'));
    other.gpg('--import', publicKey);
    vi.stubEnv('GNUPGHOME', other.directory);
    expect(await verify('HEAD')).toMatchObject({ commits: [{ signature: 'untrusted', key }] });
    other.gpg('--yes', '--delete-keys', key ?? '');
    expect(await verify('HEAD')).toMatchObject({ commits: [{ signature: 'unverifiable' }] });
  });
});
