import { Field } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import type { Body } from '../repository/diff.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { DiffInput, readDiff } from './diff-input.ts';

export class GitDiffInput extends DiffInput {
  @Field('Branch, tag or commit to compare the work tree with; A..B compares two, A...B shows what B did since it left A')
  @IsString()
  target!: string;
}

const RANGE = /^(?<from>.*?)(?<dots>\.{2,3})(?<to>.*)$/s;

/**
 * The difference between a commit and the work tree, or between two commits.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, PATH_OUTSIDE_ROOTS
 */
export async function gitDiff(repository: Repository, input: GitDiffInput): Promise<Body> {
  const { from, dots, to } = RANGE.exec(input.target)?.groups ?? {};
  if (from === undefined || to === undefined || dots === undefined)
    return readDiff(repository, input, [await resolveCommit(repository, input.target)]);
  const [one, other] = await Promise.all([from, to].map((end) => resolveCommit(repository, end === '' ? 'HEAD' : end)));
  return readDiff(repository, input, [`${one}${dots}${other}`]);
}
