import path from 'node:path';

import { parseConfig, type ConfigEntry } from './parse/config.ts';
import type { Ground } from './places.ts';
import { isRepositorys } from './trust.ts';

/** Keys that make git read other files, change the work tree or define an alias. */
const LEFT_OUT = /^(?:include|includeif|alias)\.|^extensions\.worktreeconfig$|^core\.worktree$/;

/** Keys that git reads only from the file `config`. */
const FORMAT = /^(?:core\.repositoryformatversion$|extensions\.)/;

/** A key as git lists it: section, optional subsection of any characters, variable. */
const KEY = /^([a-z\d-]+)(?:\.([^]*))?\.([a-z][a-z\d-]*)$/;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\b': '\\b' };

/**
 * Converts the repository's own part of `git config --list -z --show-scope --show-origin` to one configuration file without
 * includes. Keys that `LEFT_OUT` and `FORMAT` exclude are omitted. For all other keys, git reads exactly the listed values.
 */
export function checkedConfiguration(listed: Buffer, { commonDir }: Pick<Ground, 'commonDir'>): Buffer {
  const main = Buffer.from(path.join(commonDir, 'config')).toString('latin1');
  const own = parseConfig(listed, 'latin1').filter(isRepositorys);
  const kept = own.filter(({ key, file }) => !LEFT_OUT.test(key) && (file === main || !FORMAT.test(key)));
  return Buffer.from(kept.map(linesOf).join(''), 'latin1');
}

/** Returns an empty string for a key outside any section, which no command reads. */
function linesOf({ key, value, hasValue }: ConfigEntry): string {
  const [, section, subsection, variable] = KEY.exec(key) ?? [];
  if (section === undefined) return '';
  const header = subsection === undefined ? `[${section}]` : `[${section} "${subsection.replaceAll(/[\\"]/g, '\\$&')}"]`;
  const quoted = value.replaceAll(/[\\"\n\t\b]/g, (each) => ESCAPES[each] ?? each);
  return `${header}\n\t${variable}${hasValue ? ` = "${quoted}"` : ''}\n`;
}
