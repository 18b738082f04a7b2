import path from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Keys and their values; a key with several has them in that order, and `undefined` stands for none. */
export type Configuration = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What git needs of the user's environment: where programs, the home directory and temporary files are. */
const KEPT = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'XDG_CONFIG_HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'TZ',
  'SYSTEMROOT',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
];

const VARIABLES = {
  LC_ALL: 'C.UTF-8',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_PAGER: 'cat',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  // `.lfsconfig` in the work tree names the LFS server, and the guard does not check that file.
  GIT_LFS_SKIP_SMUDGE: '1',
} as const;

/** Programs that fail in place of those that sign. A command that is to sign gets other values. */
const NO_SIGNERS: Readonly<Record<string, string>> = {
  'gpg.openpgp.program': 'false',
  'gpg.x509.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.ssh.defaultkeycommand': '',
};

/**
 * Configuration that no repository can override: nothing in it starts a program, and nothing of the user's or the
 * repository's taste changes what is parsed. Given by the environment, because git passes that on to the programs it starts.
 */
const CONFIGURATION: Readonly<Record<string, string>> = {
  'advice.graftFileDeprecated': 'false',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.askPass': '',
  'core.sshCommand': 'ssh',
  'core.alternateRefsCommand': '',
  'core.quotePath': 'false',
  'credential.helper': '',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'push.gpgSign': 'false',
  ...NO_SIGNERS,
  'merge.verifySignatures': 'false',
  'rerere.enabled': 'false',
  'core.abbrev': 'auto',
  'format.pretty': 'medium',
  'log.date': 'default',
  'log.showSignature': 'false',
  'log.mailmap': 'false',
  'mailmap.file': '',
  'mailmap.blob': '',
  'log.follow': 'false',
  'log.showRoot': 'true',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.ext.allow': 'never',
  'safe.bareRepository': 'explicit',
  'submodule.recurse': 'false',
  'color.ui': 'false',
  'diff.external': '',
  'diff.noprefix': 'false',
  'diff.mnemonicPrefix': 'false',
  'diff.relative': 'false',
  'diff.submodule': 'short',
  'diff.interHunkContext': '0',
  'diff.colorMoved': 'no',
  'diff.algorithm': 'default',
  'diff.renames': 'true',
  'diff.suppressBlankEmpty': 'false',
  'diff.orderFile': '/dev/null',
  'status.renames': 'true',
  'status.relativePaths': 'false',
  'i18n.logOutputEncoding': 'UTF-8',
  'i18n.commitEncoding': 'UTF-8',
  'blame.showRoot': 'false',
  'blame.blankBoundary': 'false',
};

/**
 * The environment of every git process: an allow-list of the ambient one, then what keeps git to itself.
 *
 * @param config over the hardened configuration; `undefined` leaves a key to the user's and the repository's own
 */
export function gitEnvironment(ambient: Variables, config: Configuration = {}): Readonly<Record<string, string>> {
  return { ...keptOf(ambient), ...VARIABLES, ...configuration({ ...CONFIGURATION, ...config }) };
}

/** The process's own environment, of which {@link gitEnvironment} keeps what it names. */
export function ambientEnvironment(): Variables {
  // oxlint-disable-next-line no-restricted-properties -- git is found by PATH and its user by HOME; only this allow-list reads them
  return process.env;
}

/**
 * Keeps the entries of the search path that are absolute and that a predicate accepts. A relative entry would find programs in the work
 * tree, and so would an empty search path. Therefore the variable is removed if no entry is left.
 */
export function withSearchPath(ambient: Variables, isAccepted: (directory: string) => boolean): Variables {
  return Object.fromEntries(
    Object.entries(ambient).map(([name, value]) => {
      if (name.toUpperCase() !== 'PATH' || value === undefined) return [name, value] as const;
      const entries = value.split(path.delimiter).filter((entry) => path.isAbsolute(entry) && isAccepted(entry));
      return [name, entries.length === 0 ? undefined : entries.join(path.delimiter)] as const;
    }),
  );
}

/** Those of some variables of the process's own environment that are set, whatever the case of their names. */
export function ambientOnly(names: ReadonlySet<string>): Readonly<Record<string, string>> {
  const entries = Object.entries(ambientEnvironment());
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value !== undefined && names.has(name.toUpperCase()) ? [[name, value] as const] : [])),
  );
}

/** The search path and the home directory alone, for a run that asks git nothing about a repository. */
export function bareEnvironment(ambient: Variables): Readonly<Record<string, string>> {
  return keptOf(ambient);
}

function keptOf(ambient: Variables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(ambient).flatMap(([name, value]) =>
      value !== undefined && KEPT.includes(name.toUpperCase()) ? [[name, value] as const] : [],
    ),
  );
}

function configuration(values: Configuration): Readonly<Record<string, string>> {
  const entries = Object.entries(values).flatMap(([key, value]) => [value ?? []].flat().map((each) => [key, each] as const));
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(entries.length)],
    ...entries.flatMap(([key, value], position) => [
      [`GIT_CONFIG_KEY_${position}`, key],
      [`GIT_CONFIG_VALUE_${position}`, value],
    ]),
  ]);
}
