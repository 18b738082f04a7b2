import path from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Git configuration by key. A key may have several values, which git reads in the order of the list. A key that is `undefined` is
 * not set.
 */
export type Configuration = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Variables that git receives from the server's environment. They locate programs, the home directory and temporary files. */
const ALLOWED_VARIABLES = [
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
  // `.lfsconfig` in the work tree names the LFS server, and the guard does not check this file. Therefore no LFS objects are
  // downloaded.
  GIT_LFS_SKIP_SMUDGE: '1',
} as const;

/** Signing programs that always fail. Commands that sign override these values. */
const NO_SIGNERS: Readonly<Record<string, string>> = {
  'gpg.openpgp.program': 'false',
  'gpg.x509.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.ssh.defaultkeycommand': '',
};

/**
 * Configuration that overrides settings of the user and of the repository: settings that start programs, and settings that change
 * the format of output that is parsed. Git receives this configuration through the environment and passes it on to its child
 * processes.
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
 * Builds the environment of a git process: allowed variables of the server's environment, hardened variables and hardened
 * configuration.
 *
 * @param config overrides the hardened configuration; for a key that is `undefined`, git reads the user's and the repository's
 * configuration
 */
export function buildEnvironment(ambient: Variables, config: Configuration = {}): Readonly<Record<string, string>> {
  return { ...keepAllowedVariables(ambient), ...VARIABLES, ...encodeConfiguration({ ...CONFIGURATION, ...config }) };
}

/** Returns the environment of the server process. {@link buildEnvironment} keeps only the variables on its allow-list. */
export function readEnvironment(): Variables {
  // oxlint-disable-next-line no-restricted-properties -- git needs PATH and HOME; only this allow-list reads them
  return process.env;
}

/**
 * Removes entries of the search path that are relative or that a predicate rejects. A relative entry, like an empty search path,
 * would find programs in the work tree. Therefore the variable is removed if no entry is left.
 */
export function filterSearchPath(ambient: Variables, isAccepted: (directory: string) => boolean): Variables {
  return Object.fromEntries(
    Object.entries(ambient).map(([name, value]) => {
      if (name.toUpperCase() !== 'PATH' || value === undefined) return [name, value] as const;
      const entries = value.split(path.delimiter).filter((entry) => path.isAbsolute(entry) && isAccepted(entry));
      return [name, entries.length === 0 ? undefined : entries.join(path.delimiter)] as const;
    }),
  );
}

/** Returns the given variables of the server process that are set. The case of names is ignored. */
export function pickVariables(names: ReadonlySet<string>): Readonly<Record<string, string>> {
  const entries = Object.entries(readEnvironment());
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value !== undefined && names.has(name.toUpperCase()) ? [[name, value] as const] : [])),
  );
}

/** Returns the variables on the allow-list, such as the search path and the home directory. */
export function keepAllowedVariables(ambient: Variables): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(ambient).flatMap(([name, value]) =>
      value !== undefined && ALLOWED_VARIABLES.includes(name.toUpperCase()) ? [[name, value] as const] : [],
    ),
  );
}

function encodeConfiguration(values: Configuration): Readonly<Record<string, string>> {
  const entries = Object.entries(values).flatMap(([key, value]) => [value ?? []].flat().map((each) => [key, each] as const));
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(entries.length)],
    ...entries.flatMap(([key, value], position) => [
      [`GIT_CONFIG_KEY_${position}`, key],
      [`GIT_CONFIG_VALUE_${position}`, value],
    ]),
  ]);
}
