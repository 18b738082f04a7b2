import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { connectFiles, temporaryDirectory } from './fixtures/temporary.ts';

/** Files that hold passwords, keys and tokens. */
const SECRET = words(`
  .env .env.local .env.production .env-prod .env_prod prod.env .envrc .ENV Prod.Env .env~ .env.bak .env.1
  ..env.swp .env.swp .#.env #.env# prod.env.old prod.env.orig~ server.pem SERVER.PEM cert.PFX server.key
  wallet.kdbx server.pem.old .server.pem.swp server.pem.~2~ id_rsa ID_RSA id_ed25519 id_rsa.bak id_ecdsa_sk .netrc
  .npmrc .npmrc.bak .yarnrc.yml .pypirc .pgpass .pgpass~ .htpasswd .git-credentials .dockercfg .s3cfg .boto
  .terraformrc .my.cnf _netrc pgpass.conf credentials.json credentials.json.save .credentials.json.swp
  Credentials.CSV client_secret_1.json secrets.yml secrets.yaml secrets.json secret.yaml secrets.tfvars
  service-account-key.json kubeconfig dev.kubeconfig terraform.tfstate terraform.tfstate.backup
  terraform.tfstate.1700000000.backup .bash_history .zsh_history .psql_history .python_history .histfile
  login.keychain-db .ssh/config .aws/credentials .kube/config .gnupg/trustdb.gpg .docker/config.json
  .config/gh/hosts.yml .config/git/credentials .cargo/credentials.toml .m2/settings.xml .SSH/known_hosts
  .Docker/Config.JSON
`);

/** Files with similar names that are meant to be read. */
const ORDINARY = words(`
  .env.example .env.sample .env.template .env.dist .env.defaults .env-example .env.local.example example.env
  prod.example.env environment.ts env.ts env.d.ts dotenv.js .environment my-env envrc credentials.ts
  credentials.md credential.go secrets.ts secrets.md secret-santa.txt useSecrets.tsx id_rsa.pub id_ed25519.pub
  identity.ts pem.ts key.ts keys.json monkey public.crt keystore.ts terraform.tf main.tfvars kubeconfig.go
  history.md bash_history.md .gitconfig .gitignore .editorconfig notes.txt~ notes.bak notes.1 .notes.swp #notes#
  a.tmp package.json.orig yarnrc.yml npmrc .dockerignore docker/config.json .config/app.json .cargo/config.toml
  .m2/wrapper.xml ssh/config
`);

describe('the built-in deny list', () => {
  it('denies files with secrets but not similar names', async () => {
    const root = await planted([...SECRET, ...ORDINARY]);
    await using session = await connectFiles({ directories: [root], maxFiles: 200 });
    expect(await readable(session, SECRET)).toEqual([]);
    expect(await readable(session, ORDINARY)).toEqual(ORDINARY);
    const found = await session.call('search_files', { path: '.', pattern: '**', type: 'file', limit: 500 });
    const { matches } = found.structuredContent as { readonly matches: readonly { readonly path: string }[] };
    expect(matches.map((match) => path.relative(root, match.path)).sort()).toEqual([...ORDINARY].sort());
  });

  it('can be disabled, so that its files can be read', async () => {
    const root = await planted(SECRET);
    await using session = await connectFiles({ directories: [root], defaultDeny: false });
    expect(await readable(session, SECRET)).toEqual(SECRET);
  });
});

describe('a root inside a directory with secrets', () => {
  it.each([
    ['.docker', 'config.json'],
    ['.config/gh', 'hosts.yml'],
    ['.config', 'gh/hosts.yml'],
    ['.ssh', 'known_hosts'],
    ['.ssh/deep/er', 'file'],
    ['.AWS', 'credentials'],
  ])('discloses no secret: %s', async (directory, file) => {
    const home = await planted([path.join(directory, file), 'notes.txt']);
    const root = path.join(home, directory);
    for (const directories of [[root], [home, root], [root, home]]) {
      await using session = await connectFiles({ directories });
      const given = path.join(root, file);
      expect(await session.fails('read_text_file', { path: given })).toMatch(/^DENIED_BY_POLICY.*denie/);
      expect(await session.fails('write_file', { path: path.join(path.dirname(given), 'config.json'), content: '' })).toMatch(
        /^DENIED_BY_POLICY/,
      );
      expect(await session.text('search_content', { path: root, pattern: 'token' })).toMatch(/^No matches/);
    }
  });

  it('names the option that permits a file, and an exception permits that file', async () => {
    const home = await planted(['.ssh/config', '.ssh/id_rsa', '.ssh/known_hosts']);
    const root = path.join(home, '.ssh');
    await using closed = await connectFiles({ directories: [root] });
    expect(await closed.fails('read_text_file', { path: 'config' })).toMatch(/denied unless the operator allows it/);
    expect(await closed.text('list_directory', { path: '.' })).toMatch(/empty/i);
    await using session = await connectFiles({ directories: [root], allow: ['config'] });
    expect(await readable(session, ['config', 'id_rsa', 'known_hosts'])).toEqual(['config']);
    expect(await session.text('list_directory', { path: '.' })).toBe('[FILE] config');
  });
});

describe('the deny list of the operator', () => {
  it('applies in every root that contains a path, not only in the innermost', async () => {
    const root = await planted(['a/private/x', 'a/b/private/x', 'a/b/open/x']);
    const directories = [root, path.join(root, 'a'), path.join(root, 'a/b')];
    await using session = await connectFiles({ directories, deny: ['a/b/private'] });
    expect(await readable(session, ['a/private/x', 'a/b/private/x', 'a/b/open/x'])).toEqual(['a/private/x', 'a/b/open/x']);
  });

  it('also denies the backup copies of editors', async () => {
    const root = await planted(['plan.txt', 'plan.txt~', '.plan.txt.swp', '#plan.txt#', 'plan.txt.bak', 'plans.txt', 'plan.md~']);
    await using session = await connectFiles({ directories: [root], deny: ['plan.txt'] });
    expect(await session.text('list_directory', { path: '.' })).toBe('[FILE] plan.md~\n[FILE] plans.txt');
  });
});

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Creates a directory with these files. */
async function planted(names: readonly string[]): Promise<string> {
  const root = await temporaryDirectory();
  for (const name of names) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), 'token');
  }
  return root;
}

/** Returns the names of the files that `read_text_file` reads. */
async function readable(session: Session, names: readonly string[]): Promise<readonly string[]> {
  const read: string[] = [];
  for (const name of names) {
    const { isError } = await session.client.callTool({ name: 'read_text_file', arguments: { path: name } });
    if (isError !== true) read.push(name);
  }
  return read;
}
