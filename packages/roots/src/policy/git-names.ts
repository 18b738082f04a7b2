/** Code points that HFS+ and ext4 with case folding ignore in a name. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** NTFS ignores dots and spaces at the end of a name, a stream such as `::$INDEX_ALLOCATION`, and knows `.git` by its short name, too. */
const GIT = /^(?:\.git|git~[1-9])[. ]*(?:$|[:\\])/;

/** A directory in which a git server makes a repository before the repository gets its name. */
const WORKSHOP = /^\.mcp-\d{1,10}-[\da-f-]{36}\.tmp$/;

/** The entries by which git recognises a git directory. */
export const GIT_PARTS = ['HEAD', 'commondir', 'config', 'objects', 'refs'] as const;
export type GitPart = (typeof GIT_PARTS)[number];

const PARTS: ReadonlyMap<string, GitPart> = new Map(GIT_PARTS.map((part) => [folded(part), part]));

/** Whether some file system takes a name for `.git`. */
export function isGitName(name: string): boolean {
  return GIT.test(folded(name));
}

/** Whether a path leads through a git directory, or one that is being made, by the names on it alone. */
export function leadsThroughGit(names: readonly string[]): boolean {
  return names.some((name) => isGitName(name) || WORKSHOP.test(folded(name)));
}

/** The entry of a git directory that some file system takes a name for. */
export function gitPartOf(name: string): GitPart | undefined {
  return PARTS.get(folded(name));
}

/**
 * Whether git takes a directory with these entries for a git directory, or for the common directory of several work trees, which needs no
 * HEAD.
 */
export function isGitDirectory(parts: ReadonlySet<GitPart>): boolean {
  const isCommon = parts.has('objects') && parts.has('refs');
  return parts.has('HEAD') ? isCommon || parts.has('commondir') : isCommon && parts.has('config');
}

/**
 * Whether a directory with these entries is on the way to a git directory. One entry earlier than git accepts it, because other
 * processes may add an entry at the same moment.
 */
export function resemblesGitDirectory(parts: ReadonlySet<GitPart>): boolean {
  const hasOther = parts.has('objects') || parts.has('refs') || parts.has('commondir');
  return isGitDirectory(parts) || (parts.has('HEAD') && hasOther);
}

/** Whether a directory with entries of these names would be, or contain, a git directory or the link to one. */
export function wouldHoldGit(names: readonly string[]): boolean {
  const parts = names.map(gitPartOf).filter((part) => part !== undefined);
  return names.some(isGitName) || resemblesGitDirectory(new Set(parts));
}

/** As git compares names: `\u200C`, upper case and normal forms make no difference. */
function folded(name: string): string {
  return name.normalize('NFC').replaceAll(IGNORED, '').toLowerCase();
}
