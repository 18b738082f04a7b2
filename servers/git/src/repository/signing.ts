import { ambientOnly } from './environment.ts';
import { parseConfig } from './parse/config.ts';
import type { CommandOptions, Repository } from './repository.ts';
import { isUsers } from './trust.ts';

/** What the user's own configuration may say about signatures, and what git does where it says nothing. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'gpg.format': 'openpgp',
  'gpg.openpgp.program': 'gpg',
  'gpg.x509.program': 'gpgsm',
  'gpg.ssh.program': 'ssh-keygen',
  'gpg.ssh.defaultkeycommand': '',
  'gpg.ssh.allowedsignersfile': '/dev/null',
  'gpg.ssh.revocationfile': '/dev/null',
  'gpg.mintrustlevel': 'undefined',
};

/** Where the user's keys are, and who has them in memory: what makes and checks signatures needs that, and nobody else gets it. */
const KEPT = new Set(['GNUPGHOME', 'SSH_AUTH_SOCK']);

/** Under what signatures are made and checked: the user's own configuration and keys, and nothing of the repository's. */
export async function signing(repository: Repository): Promise<Required<Pick<CommandOptions, 'config' | 'env'>>> {
  return { config: await signingConfig(repository), env: ambientOnly(KEPT) };
}

async function signingConfig(repository: Repository): Promise<Readonly<Record<string, string>>> {
  const [listed, identity] = await Promise.all([
    repository.read(['config', '--list', '-z', '--show-scope', '--show-origin']),
    repository.read(['var', 'GIT_COMMITTER_IDENT'], { codes: [0, 128] }),
  ]);
  const own = new Map<string, string>();
  for (const { key, value } of parseConfig(listed.stdout).filter(isUsers)) {
    // Two names of one setting, of which the last counts.
    own.set(key === 'gpg.program' ? 'gpg.openpgp.program' : key, value);
  }
  // "Name <email> 1767225600 +0000": the key that git looks for where none is named.
  const committer = identity.stdout.toString('utf8').replace(/ \d+ [+-]\d{4}\n$/, '');
  const settings = Object.entries(DEFAULTS).map(([key, value]) => [key, own.get(key) ?? value] as const);
  return Object.fromEntries([...settings, ['user.signingkey', own.get('user.signingkey') ?? committer] as const]);
}
