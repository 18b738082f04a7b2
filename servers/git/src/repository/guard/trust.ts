import { homedir } from 'node:os';
import path from 'node:path';

import type { ConfigEntry } from '../parse/config.ts';

/** Keys with which a repository can make git start a program or contact a host. */
const EXECUTING = [
  /^filter\..+\.(?:clean|smudge|process)$/s,
  /^merge\..+\.driver$/s,
  // Programs that git-lfs starts. A repository may use git-lfs itself.
  /^lfs\.(?:customtransfer|extension)\..+$/s,
  /^lfs\.(?:.+\.)?standalonetransferagent$/s,
  /^hook\..+\.command$/s,
  /^remote\..+\.(?:uploadpack|receivepack|vcs|promisor|partialclonefilter)$/s,
  /^core\.gitproxy$/,
  /^extensions\.partialclone$/,
  // After a switch of the branch, git would include a file that was not checked, so such a setting counts as executing.
  /^includeif\.onbranch:.*\.path$/s,
];

/**
 * Settings that start programs and that `git lfs install --local` writes, with or without `--skip-smudge`. Only these exact
 * values are permitted.
 */
const LFS = new Set([
  'filter.lfs.clean=git-lfs clean -- %f',
  'filter.lfs.smudge=git-lfs smudge -- %f',
  'filter.lfs.smudge=git-lfs smudge --skip -- %f',
  'filter.lfs.process=git-lfs filter-process',
  'filter.lfs.process=git-lfs filter-process --skip',
]);

/** Built-in merge strategies. For any other name, git looks for a program or an alias. */
const STRATEGIES = new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree']);

const INCLUDE = /^include(?:if\..+)?\.path$/s;
const READS_FILE = /^(?:blame\.ignorerevsfile|core\.(?:attributesfile|excludesfile))$/;
const SCHEME = /^([a-z][a-z0-9+.-]*:)/i;

/** Whether an entry comes from a file of the repository. */
export function isRepositoryEntry({ scope }: ConfigEntry): boolean {
  return scope === 'local' || scope === 'worktree';
}

/** Whether an entry comes from a file of the user or of the system. */
export function isUserEntry({ scope }: ConfigEntry): boolean {
  return scope === 'system' || scope === 'global';
}

/**
 * Whether the key and the value of an entry could make git start a program or contact a host. Callers pass only entries that
 * persons other than the user may have written.
 */
export function startsProgram({ key, value }: ConfigEntry): boolean {
  if (value === '' || LFS.has(`${key}=${value}`)) return false;
  if (/^submodule\..+\.update$/s.test(key)) return value.startsWith('!');
  if (/^pull\.(?:twohead|octopus)$/.test(key)) return !value.split(' ').every((name) => STRATEGIES.has(name));
  if (/^url\..+\.(?:push)?insteadof$/s.test(key)) return parseScheme(key.slice('url.'.length)) !== parseScheme(value);
  return EXECUTING.some((pattern) => pattern.test(key));
}

/** Stands for bytes that are not UTF-8. A path with this character cannot be resolved. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/** Returns the file that an entry includes, as {@link findReadFile} does. Returns `undefined` for any other entry. */
export function findIncludedFile(entry: ConfigEntry, top: string): string | undefined {
  return INCLUDE.test(entry.key) ? findReadFile(entry, top) : undefined;
}

/**
 * Returns the absolute path of the file that an entry makes git read, or `undefined` if the entry names no file. If the path
 * cannot be resolved, returns the root of the file system, which no repository contains.
 */
export function findReadFile({ key, value, file }: ConfigEntry, top: string): string | undefined {
  const include = INCLUDE.test(key);
  if ((!include && !READS_FILE.test(key)) || value === '') return undefined;
  if (value.includes(REPLACEMENT_CHARACTER)) return path.parse(top).root;
  // The path is in another user's home directory or in the installation of git, and counts as outside the roots.
  if (/^(?:~[^/]|%\(prefix\))/.test(value)) return path.parse(top).root;
  if (value === '~' || value.startsWith('~/')) return path.join(homedir(), value.slice(1));
  return path.resolve(include && file !== undefined ? path.dirname(file) : top, value);
}

/** Returns the scheme of a URL, such as `https:`. A URL without `://`, such as `host:path`, counts as `ssh:`. */
function parseScheme(url: string): string {
  return SCHEME.exec(url.includes('://') ? url : '')?.[1]?.toLowerCase() ?? 'ssh:';
}
