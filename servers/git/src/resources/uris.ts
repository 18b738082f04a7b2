import { Field } from '@org/mcp-decorators';
import { IsIn, IsOptional, IsString } from 'class-validator';

/** The variable of `git://{repo}/status` and of others that name a repository alone, decoded. */
export class RepositoryUri {
  @Field('Name of the repository, as git_status gives it')
  @IsString()
  repo!: string;
}

/** The variables of `git://{repo}/commit/{rev}`, decoded. */
export class CommitUri extends RepositoryUri {
  @Field('Branch, tag or commit; a slash in it is written %2F')
  @IsString()
  rev!: string;
}

/** The variables of `git://{repo}/blob/{rev}/{+path}` and `git://{repo}/tree/{rev}/{+path}`, decoded. */
export class BlobUri extends CommitUri {
  @Field('Path in that commit')
  @IsString()
  path!: string;
}

/** The variables of `git://{repo}/log{?rev,cursor}`, decoded. */
export class LogUri extends RepositoryUri {
  @Field('Branch, tag or commit to begin with; default: HEAD')
  @IsOptional()
  @IsString()
  rev?: string;

  @Field('next_cursor of an earlier page')
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** The variables of `git://{repo}/diff/{from}..{to}`, decoded. */
export class DiffUri extends RepositoryUri {
  @Field('Branch, tag or commit; a slash in it is written %2F')
  @IsString()
  from!: string;

  @Field('Branch, tag or commit; a slash in it is written %2F')
  @IsString()
  to!: string;
}

/** The stages of a file with a conflict: what both sides began with, ours and theirs. */
export const STAGES = ['1', '2', '3'] as const;

/** The variables of `git://{repo}/conflict/{stage}/{+path}`, decoded. */
export class ConflictUri extends RepositoryUri {
  @Field('1: what both sides began with, 2: ours, 3: theirs')
  @IsIn([...STAGES])
  stage!: (typeof STAGES)[number];

  @Field('Path of a file with a conflict')
  @IsString()
  path!: string;
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
