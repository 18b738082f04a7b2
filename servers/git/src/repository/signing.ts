import { isUserEntry } from './guard/trust.ts';
import { parseConfig } from './parse/config.ts';
import { pickVariables } from './process/environment.ts';
import type { CommandOptions, Repository } from './repository.ts';

/**
 * Settings for signatures that are read from the user's own configuration, and the values of settings that the user did not set.
 */
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

/** Variables that name the key directory and the agent of the user. Commands that create or verify signatures receive them. */
const KEY_VARIABLES = new Set(['GNUPGHOME', 'SSH_AUTH_SOCK']);

/**
 * Reads the options for commands that create or verify signatures. They contain the user's own configuration and keys, and no
 * setting of the repository.
 */
export async function readSigningOptions(repository: Repository): Promise<Required<Pick<CommandOptions, 'config' | 'env'>>> {
  return { config: await readSigningConfiguration(repository), env: pickVariables(KEY_VARIABLES) };
}

async function readSigningConfiguration(repository: Repository): Promise<Readonly<Record<string, string>>> {
  const [listed, identity] = await Promise.all([
    repository.read(['config', '--list', '-z', '--show-scope', '--show-origin']),
    repository.read(['var', 'GIT_COMMITTER_IDENT'], { codes: [0, 128] }),
  ]);
  const own = new Map<string, string>();
  for (const { key, value } of parseConfig(listed.stdout).filter(isUserEntry)) {
    // `gpg.program` and `gpg.openpgp.program` are the same setting, of which the last value applies.
    own.set(key === 'gpg.program' ? 'gpg.openpgp.program' : key, value);
  }
  // The output has the form "Name <email> 1767225600 +0000". Without `user.signingKey`, git looks for a key of this identity.
  const committer = identity.stdout.toString('utf8').replace(/ \d+ [+-]\d{4}\n$/, '');
  const settings = Object.entries(DEFAULTS).map(([key, value]) => [key, own.get(key) ?? value] as const);
  return Object.fromEntries([...settings, ['user.signingkey', own.get('user.signingkey') ?? committer] as const]);
}
