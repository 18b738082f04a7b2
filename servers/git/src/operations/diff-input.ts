import { Field } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

import { DIFF_FLAGS, readBody, type Body } from '../repository/diff.ts';
import { pathsInside } from '../repository/paths.ts';
import type { Repository } from '../repository/repository.ts';
import { RepositoryInput } from './repository-input.ts';

/** How a diff is shown, and of what. */
export class DiffInput extends RepositoryInput {
  @Field('Unchanged lines around each change')
  @IsInt()
  @Min(0)
  @Max(1000)
  context_lines = 3;

  @Field('Only these files or directories')
  @IsOptional()
  @IsString({ each: true })
  paths?: string[];
}

/** Runs a diff between what `between` names: flags of ours and oids, never a caller's text. */
export function readDiff(
  repository: Repository,
  { context_lines, paths = [] }: DiffInput,
  between: readonly string[],
): Promise<Body> {
  const command = ['diff', ...DIFF_FLAGS, '--patch', `--unified=${context_lines}`, ...between];
  return readBody(repository, [...command, '--', ...pathsInside(repository, paths)]);
}
