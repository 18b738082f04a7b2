import { foldName } from '../paths/fold-name.ts';

/**
 * Matches `.git` in every spelling. NTFS ignores trailing dots and spaces and a stream such as `::$INDEX_ALLOCATION`, and also
 * opens `.git` by its short name.
 */
const GIT = /^(?:\.git|git~[1-9])[. ]*(?:$|[:\\])/;

/** Matches the names of the configuration that git reads from the home directory. */
const CONFIGURATION = /^(?:\.gitconfig|gitcon~[1-9])[. ]*(?:$|[:\\])/;

/** The second path from which git reads such a configuration, relative to the home directory. */
const CONFIGURATION_PATH = ['.config', 'git', 'config'] as const;

/** Matches the temporary directory in which a git server creates a repository before it renames the directory. */
const TEMPORARY_REPOSITORY = /^\.mcp-\d{1,10}-[\da-f-]{36}\.tmp$/;

/** The entries by which git recognises a git directory. */
export const GIT_PARTS = ['HEAD', 'commondir', 'config', 'objects', 'refs'] as const;
export type GitPart = (typeof GIT_PARTS)[number];

const PARTS: ReadonlyMap<string, GitPart> = new Map(GIT_PARTS.map((part) => [foldName(part), part]));

/** Whether some file system treats a name as `.git`. */
export function isGitName(name: string): boolean {
  return GIT.test(foldName(name));
}

/** Whether the last names of a path are the names of a user's own configuration of git. */
export function isGitConfiguration(names: readonly string[]): boolean {
  return CONFIGURATION.test(foldName(names.at(-1) ?? '')) || endsWith(names, CONFIGURATION_PATH);
}

/** Whether a directory or link with this path may contain a user's own configuration of git. */
export function mayContainGitConfiguration(names: readonly string[]): boolean {
  return endsWith(names, CONFIGURATION_PATH.slice(0, 1)) || endsWith(names, CONFIGURATION_PATH.slice(0, 2));
}

/** Whether the names of a path include a git directory, or one that is being created. */
export function containsGitName(names: readonly string[]): boolean {
  return names.some((name) => isGitName(name) || TEMPORARY_REPOSITORY.test(foldName(name)));
}

/** Returns the entry of a git directory to which a name refers on some file system; `undefined` for other names. */
export function toGitPart(name: string): GitPart | undefined {
  return PARTS.get(foldName(name));
}

/**
 * Whether git recognises a directory with these entries as a git directory, or as the common directory of several work trees, which
 * needs no HEAD.
 */
export function isGitDirectory(parts: ReadonlySet<GitPart>): boolean {
  const isCommon = parts.has('objects') && parts.has('refs');
  return parts.has('HEAD') ? isCommon || parts.has('commondir') : isCommon && parts.has('config');
}

/**
 * Whether a directory with these entries is a git directory, or contains HEAD and `objects`, `refs` or `commondir`. The check
 * is stricter than the check of git, because another process may add an entry at the same time.
 */
export function resemblesGitDirectory(parts: ReadonlySet<GitPart>): boolean {
  const hasOther = parts.has('objects') || parts.has('refs') || parts.has('commondir');
  return isGitDirectory(parts) || (parts.has('HEAD') && hasOther);
}

/** Whether a directory with these entries would be or contain a git directory, a `gitdir:` link or a `.gitconfig`. */
export function wouldContainGit(names: readonly string[]): boolean {
  const parts = names.map(toGitPart).filter((part) => part !== undefined);
  return names.some((name) => isGitName(name) || isGitConfiguration([name])) || resemblesGitDirectory(new Set(parts));
}

/** Returns whether a path ends with the given names. The stream in a name is ignored, because NTFS ignores it. */
function endsWith(names: readonly string[], end: readonly string[]): boolean {
  return names.length >= end.length && names.slice(-end.length).every((name, index) => withoutStream(name) === end[index]);
}

function withoutStream(name: string): string {
  const colon = name.indexOf(':');
  return foldName(colon === -1 ? name : name.slice(0, colon));
}
