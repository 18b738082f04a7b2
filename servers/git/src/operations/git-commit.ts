import { Field, ToolError } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';

import { DIFF_FLAGS } from '../repository/diff.ts';
import { decodeList } from '../repository/parse/fields.ts';
import type { Repository } from '../repository/repository.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitCommitInput extends RepositoryInput {
  @Field('The whole message: a subject, then if needed an empty line and more')
  @IsString()
  @MinLength(1)
  @MaxLength(1_000_000)
  message!: string;
}

/** A new commit. */
export class NewCommit {
  @IsString()
  oid!: string;

  @Field('Absent on a detached HEAD')
  @IsOptional()
  @IsString()
  branch?: string;

  @IsString()
  subject!: string;

  @Field('Files it changed')
  @IsInt()
  files!: number;
}

/**
 * Commits what is staged; hooks do not run.
 *
 * @throws ToolError NOTHING_TO_COMMIT, CONFLICT, IDENTITY_REQUIRED, INVALID_ARGUMENTS, LOCKED
 */
export async function gitCommit(repository: Repository, { message }: GitCommitInput): Promise<NewCommit> {
  if (message.trim() === '' || message.includes('\0'))
    throw new ToolError('INVALID_ARGUMENTS', 'the message is empty or contains a NUL character');
  await requireStaged(repository);
  // Through stdin: as an argument it could be taken for an option, and is bounded.
  await repository.write(['commit', '--quiet', '--no-verify', '--no-edit', '--cleanup=whitespace', '--file=-'], {
    input: message,
  });
  const format = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', '--format=%H%x00%s'];
  const changes = [...DIFF_FLAGS, '--name-only', '--no-renames', '--diff-merges=first-parent'];
  const [{ stdout }, head] = await Promise.all([
    repository.read(['log', '--max-count=1', ...format, ...changes, 'HEAD', '--']),
    repository.read(['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [0, 1] }),
  ]);
  const [oid = '', subject = '', ...files] = decodeList(stdout).filter((field) => field !== '');
  const branch = head.stdout.toString('utf8').trim();
  return { oid, ...(branch !== '' && { branch }), subject, files: files.length };
}

/** A merge is committed even if it changes nothing. */
async function requireStaged(repository: Repository): Promise<void> {
  const unchanged = await repository.read(['diff', ...DIFF_FLAGS, '--cached', '--quiet'], { codes: [0, 1] });
  if (unchanged.code === 1) return;
  const merge = await repository.read(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'], { codes: [0, 1] });
  if (merge.code === 0) return;
  throw new ToolError('NOTHING_TO_COMMIT', 'nothing is staged', { hint: 'git_add stages files' });
}
