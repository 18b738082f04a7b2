import { OneOf, Text } from '@org/mcp-decorators';

/** The variable of `git://{repo}/status` and of others that name a repository alone, decoded. */
export class RepositoryUri {
  @Text('Name of the repository, as git_status gives it') repo!: string;
}

/** The variables of `git://{repo}/commit/{rev}`, decoded. */
export class CommitUri extends RepositoryUri {
  @Text('Branch, tag or commit; a slash in it is written %2F') rev!: string;
}

/** The variables of `git://{repo}/blob/{rev}/{+path}` and `git://{repo}/tree/{rev}/{+path}`, decoded. */
export class BlobUri extends CommitUri {
  @Text('Path in that commit') path!: string;
}

/** The variables of `git://{repo}/log{?rev,cursor}`, decoded. */
export class LogUri extends RepositoryUri {
  @Text('Branch, tag or commit to begin with; default: HEAD', { optional: true }) rev?: string;
  @Text('next_cursor of an earlier page', { optional: true }) cursor?: string;
}

/** The variables of `git://{repo}/diff/{from}..{to}`, decoded. */
export class DiffUri extends RepositoryUri {
  @Text('Branch, tag or commit; a slash in it is written %2F') from!: string;
  @Text('Branch, tag or commit; a slash in it is written %2F') to!: string;
}

/** The stages of a file with a conflict: what both sides began with, ours and theirs. */
export const STAGES = ['1', '2', '3'] as const;

/** The variables of `git://{repo}/conflict/{stage}/{+path}`, decoded. */
export class ConflictUri extends RepositoryUri {
  @OneOf(STAGES, '1: what both sides began with, 2: ours, 3: theirs') stage!: (typeof STAGES)[number];
  @Text('Path of a file with a conflict') path!: string;
}

/** What of a URI says what it is about. */
export interface NamingUri {
  readonly path?: string;
  readonly repo: string;
  readonly rev?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
}

/** The revisions that a URI names; those of a cursor stand for the one that it began with. */
export function revisionsOf({ rev, from, to, cursor }: NamingUri): readonly string[] {
  if (cursor !== undefined) return cursor.replace(/\+.*$/s, '').split('.');
  return [rev, from, to].filter((name) => name !== undefined);
}
