import path from 'node:path';

import { parseConfig, type ConfigEntry } from '../parse/config.ts';
import type { RepositoryLayout } from './repository-layout.ts';
import { isRepositoryEntry, isUserEntry } from './trust.ts';

/** Keys that make git read other files as configuration. */
const INCLUDES = /^include(?:if)?\./;

/** Keys of the repository that define an alias, change the work tree or make git read the file `config.worktree`. */
const OMITTED = /^alias\.|^extensions\.worktreeconfig$|^core\.worktree$/;

/** Keys that identify a person or a signing key, and never name a program. */
const IDENTITY = /^(?:user|author|committer)\.|^gpg\.format$/;

/** Keys that git reads only from the file `config`. */
const FORMAT = /^(?:core\.repositoryformatversion$|extensions\.)/;

/** A key as git lists it: section, optional subsection of any characters, variable. */
const KEY = /^([a-z\d-]+)(?:\.([^]*))?\.([a-z][a-z\d-]*)$/;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\b': '\\b' };

/** Facts about the files that a configuration was read from. */
interface Origins extends Pick<RepositoryLayout, 'commonDir'> {
  /** Whether a client may be able to write a file. */
  readonly isWritable: (file: Buffer) => boolean;
}

/** A checked configuration, as two files that git can use instead of the original files. */
export interface CheckedConfiguration {
  /** Settings of the repository, and settings of the user in files that clients may be able to write. */
  readonly repository: Buffer;
  /** The other settings of the user and of the system. */
  readonly user: Buffer;
}

/**
 * Converts the output of `git config --list -z --show-scope --show-origin` to configuration files without includes. The settings
 * of the repository contain no key of `OMITTED`, and keys of `FORMAT` only if they are in its main file `config`. For all other
 * keys, git reads exactly the listed values.
 *
 * Settings in files of the user that clients may be able to write become settings of the repository. Keys of `IDENTITY` remain
 * settings of the user. Keys of `FORMAT`, and `core.bare`, in such a file are omitted.
 */
export function buildCheckedConfiguration(listed: Buffer, { commonDir, isWritable }: Origins): CheckedConfiguration {
  const main = Buffer.from(path.join(commonDir, 'config')).toString('latin1');
  const entries = parseConfig(listed, 'latin1').filter(({ key }) => !INCLUDES.test(key));
  const isMoved = (entry: ConfigEntry): boolean =>
    !IDENTITY.test(entry.key) && isWritable(Buffer.from(entry.file ?? '', 'latin1'));
  const users = entries.filter(isUserEntry);
  const own = entries.filter(isRepositoryEntry).filter(({ key, file }) => file === main || !FORMAT.test(key));
  const moved = selectMovedEntries(users, isMoved).filter(({ key }) => !FORMAT.test(key) && key !== 'core.bare');
  return {
    repository: serializeEntries([...moved, ...own].filter(({ key }) => !OMITTED.test(key))),
    user: serializeEntries(users.filter((entry) => !isMoved(entry))),
  };
}

/** Selects the moved settings, and every later setting of the same key, so that the later setting still takes precedence. */
function selectMovedEntries(users: readonly ConfigEntry[], isMoved: (entry: ConfigEntry) => boolean): readonly ConfigEntry[] {
  const keys = new Set<string>();
  return users.filter((entry) => {
    if (isMoved(entry)) keys.add(entry.key);
    return keys.has(entry.key);
  });
}

function serializeEntries(entries: readonly ConfigEntry[]): Buffer {
  return Buffer.from(entries.map(serializeEntry).join(''), 'latin1');
}

/** Serializes an entry. Returns an empty string for a key outside any section, which no command reads. */
function serializeEntry({ key, value, hasValue }: ConfigEntry): string {
  const [, section, subsection, variable] = KEY.exec(key) ?? [];
  if (section === undefined) return '';
  const header = subsection === undefined ? `[${section}]` : `[${section} "${subsection.replaceAll(/[\\"]/g, '\\$&')}"]`;
  const quoted = value.replaceAll(/[\\"\n\t\b]/g, (each) => ESCAPES[each] ?? each);
  return `${header}\n\t${variable}${hasValue ? ` = "${quoted}"` : ''}\n`;
}
