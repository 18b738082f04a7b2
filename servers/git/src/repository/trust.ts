import { homedir } from 'node:os';
import path from 'node:path';

import { fieldsOf, records } from './parse/fields.ts';

/** One line of `git config --list -z --show-scope --show-origin`. */
export interface ConfigEntry {
  readonly scope: string;
  /** The file that says so; `undefined` for the environment's. */
  readonly file: string | undefined;
  /** Section and variable in lower case, a subsection as written. */
  readonly key: string;
  readonly value: string;
}

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

export function parseConfig(stdout: Buffer): readonly ConfigEntry[] {
  // Not as names, which are quoted where they are not UTF-8: no value may change what its key is.
  const fields = fieldsOf(stdout).map((field) => field.toString('utf8'));
  return records(fields, 3).map(([scope = '', origin = '', pair = '']) => {
    const newline = pair.indexOf('\n');
    return {
      scope,
      file: origin.startsWith('file:') ? origin.slice(5) : undefined,
      // A key without value, `[core] bare`, means true and is listed without a newline.
      key: newline === -1 ? pair : pair.slice(0, newline),
      value: newline === -1 ? 'true' : pair.slice(newline + 1),
    };
  });
}

/** Entries that the repository itself makes; the user's own are the user's. */
export function isRepositorys({ scope }: ConfigEntry): boolean {
  return scope === 'local' || scope === 'worktree';
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

/** The file that an entry of the repository's own makes git read, absolute; the root of the file system where that cannot be told. */
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
