import { homedir } from 'node:os';
import path from 'node:path';

import type { ConfigEntry } from './parse/config.ts';

/** Keys that make git start a program the repository names, or speak to somebody it names. */
const EXECUTING = [
  /^filter\..+\.(?:clean|smudge|process)$/s,
  /^merge\..+\.driver$/s,
  // What git-lfs starts, which a repository may use.
  /^lfs\.(?:customtransfer|extension)\..+$/s,
  /^lfs\.(?:.+\.)?standalonetransferagent$/s,
  /^hook\..+\.command$/s,
  /^remote\..+\.(?:uploadpack|receivepack|vcs|promisor|partialclonefilter)$/s,
  /^core\.gitproxy$/,
  /^extensions\.partialclone$/,
  // Nothing changes but the branch, and the file counts: what it says then nobody has looked at.
  /^includeif\.onbranch:.*\.path$/s,
];

/** What `git lfs install --local` writes, and nothing like it. */
const LFS = new Set([
  'filter.lfs.clean=git-lfs clean -- %f',
  'filter.lfs.smudge=git-lfs smudge -- %f',
  'filter.lfs.smudge=git-lfs smudge --skip -- %f',
  'filter.lfs.process=git-lfs filter-process',
  'filter.lfs.process=git-lfs filter-process --skip',
]);

/** Strategies that git brings along; any other name is a program that it looks for, or an alias. */
const STRATEGIES = new Set(['ort', 'recursive', 'resolve', 'octopus', 'ours', 'subtree']);

const INCLUDE = /^include(?:if\..+)?\.path$/s;
const READS_FILE = /^(?:blame\.ignorerevsfile|core\.(?:attributesfile|excludesfile))$/;
const SCHEME = /^([a-z][a-z0-9+.-]*:)/i;

/** Entries that the repository itself makes; the user's own are the user's. */
export function isRepositorys({ scope }: ConfigEntry): boolean {
  return scope === 'local' || scope === 'worktree';
}

/** Entries of the user's own files and of the system. */
export function isUsers({ scope }: ConfigEntry): boolean {
  return scope === 'system' || scope === 'global';
}

/** Whether an entry of the repository's own starts a program. */
export function executes({ key, value }: ConfigEntry): boolean {
  if (value === '' || LFS.has(`${key}=${value}`)) return false;
  if (/^submodule\..+\.update$/s.test(key)) return value.startsWith('!');
  if (/^pull\.(?:twohead|octopus)$/.test(key)) return !value.split(' ').every((name) => STRATEGIES.has(name));
  if (/^url\..+\.(?:push)?insteadof$/s.test(key)) return schemeOf(key.slice('url.'.length)) !== schemeOf(value);
  return EXECUTING.some((pattern) => pattern.test(key));
}

/** What stands for bytes that are no UTF-8: which file such a name is of cannot be told. */
const UNREADABLE = '\uFFFD';

/** The file that an entry includes, as {@link fileRead} returns it. */
export function fileIncluded(entry: ConfigEntry, top: string): string | undefined {
  return INCLUDE.test(entry.key) ? fileRead(entry, top) : undefined;
}

/** The file that an entry makes git read, absolute; the root of the file system where that cannot be told. */
export function fileRead({ key, value, file }: ConfigEntry, top: string): string | undefined {
  const include = INCLUDE.test(key);
  if ((!include && !READS_FILE.test(key)) || value === '') return undefined;
  if (value.includes(UNREADABLE)) return path.parse(top).root;
  // Another user's home, or where git is installed.
  if (/^(?:~[^/]|%\(prefix\))/.test(value)) return path.parse(top).root;
  if (value === '~' || value.startsWith('~/')) return path.join(homedir(), value.slice(1));
  return path.resolve(include && file !== undefined ? path.dirname(file) : top, value);
}

/** `https:` of a URL; `ssh:` of the form `host:path`, which has no scheme. */
function schemeOf(url: string): string {
  return SCHEME.exec(url.includes('://') ? url : '')?.[1]?.toLowerCase() ?? 'ssh:';
}
