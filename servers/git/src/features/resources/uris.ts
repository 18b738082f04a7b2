import { OneOf, Text } from '@org/mcp-decorators';

/** The decoded variable of `git://{repo}/status` and similar URIs. */
export class RepositoryUri {
  @Text('Id of the repository: the field repository in the result of git_status') repo!: string;
}

/** The decoded variables of `git://{repo}/commit/{rev}`. */
export class CommitUri extends RepositoryUri {
  @Text('Branch, tag or commit; write a slash as %2F') rev!: string;
}

/** The decoded variables of `git://{repo}/blob/{rev}/{+path}` and `git://{repo}/tree/{rev}/{+path}`. */
export class BlobUri extends RepositoryUri {
  @Text('Branch, tag or commit; write a slash as %2F') rev!: string;
  @Text('Path in the commit') path!: string;
}

/** The decoded variables of `git://{repo}/log{?rev,cursor}`. */
export class LogUri extends RepositoryUri {
  @Text('Branch, tag or commit to start at; default: HEAD', { optional: true }) rev?: string;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

/** The decoded variables of `git://{repo}/diff/{from}..{to}`. */
export class DiffUri extends RepositoryUri {
  @Text('Branch, tag or commit; write a slash as %2F') from!: string;
  @Text('Branch, tag or commit; write a slash as %2F') to!: string;
}

/** The stages of a file with a conflict: common ancestor, ours and theirs. */
export const STAGES = ['1', '2', '3'] as const;

/** The decoded variables of `git://{repo}/conflict/{stage}/{+path}`. */
export class ConflictUri extends RepositoryUri {
  @OneOf(STAGES, '1: common ancestor, 2: ours, 3: theirs') stage!: (typeof STAGES)[number];
  @Text('Path of a file with a conflict') path!: string;
}

/** The variables of any resource URI of this server. */
export interface UriVariables {
  readonly path?: string;
  readonly repo: string;
  readonly rev?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
}

/**
 * Returns the revisions that a URI names. If the URI has a cursor, returns the object names in the cursor instead: the commits at
 * which the rest of the log starts, and the excluded commits.
 */
export function namedRevisions({ rev, from, to, cursor }: UriVariables): readonly string[] {
  if (cursor !== undefined) return cursor.replace(/\+.*$/s, '').split(/[.~]/);
  return [rev, from, to].filter((name) => name !== undefined);
}
