import { Field } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import { DIFF_FLAGS, readBody, type Body } from '../repository/diff.ts';
import type { Repository } from '../repository/repository.ts';
import { pathsInside } from '../repository/paths.ts';
import { resolveCommit } from '../repository/revision.ts';
import { DiffInput } from './diff-input.ts';

export class GitShowInput extends DiffInput {
  @Field('Branch, tag or commit')
  @IsString()
  revision!: string;
}

/** A commit as text. */
export interface ShownCommit extends Body {
  readonly oid: string;
}

const FORMAT = 'commit %H%nAuthor: %an <%ae>%nDate:   %aI%n%n%w(0,4,4)%B';

/**
 * A commit's message and what it changed; of a merge, what differs from all its parents.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS
 */
export async function gitShow(
  repository: Repository,
  { revision, context_lines, paths = [] }: GitShowInput,
): Promise<ShownCommit> {
  const oid = await resolveCommit(repository, revision);
  const format = ['--no-show-signature', '--encoding=UTF-8', '--diff-merges=dense-combined', `--format=${FORMAT}`];
  const command = ['show', ...format, ...DIFF_FLAGS, '--patch', `--unified=${context_lines}`, oid];
  return { oid, ...(await readBody(repository, [...command, '--', ...pathsInside(repository, paths)])) };
}
