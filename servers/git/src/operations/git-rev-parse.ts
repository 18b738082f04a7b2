import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

import type { ReadObject } from '../repository/object.ts';
import { symbolicName } from '../repository/ref-name.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveObject } from '../repository/revision.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitRevParseInput extends RepositoryInput {
  @Field('Any expression for one object, such as main~2, @{upstream} or v1:path')
  @IsString()
  revision!: string;
}

/** What a revision names. */
export class ResolvedRevision {
  @IsString()
  oid!: string;

  @Field('commit, tree, blob or tag')
  @IsString()
  type!: string;

  @Field('As few digits as name it alone')
  @IsString()
  short!: string;

  @Field('The reference that was named')
  @IsOptional()
  @IsString()
  symbolic?: string;

  @Field('By the nearest tag')
  @IsOptional()
  @IsString()
  describe?: string;
}

/** @throws ToolError INVALID_REVISION, EMPTY_REPO */
export async function gitRevParse(repository: Repository, { revision }: GitRevParseInput): Promise<ResolvedRevision> {
  const object = await resolveObject(repository, revision, { length: 0 });
  const [symbolic, names] = await Promise.all([symbolicName(repository, revision), namesOf(repository, object)]);
  return { oid: object.oid, type: object.type, ...names, ...(symbolic !== undefined && { symbolic }) };
}

async function namesOf(repository: Repository, { oid, type }: ReadObject): Promise<Pick<ResolvedRevision, 'short' | 'describe'>> {
  if (type !== 'commit') {
    const { stdout } = await repository.read(['rev-parse', '--short', oid]);
    return { short: stdout.toString('utf8').trim() };
  }
  const command = ['log', '--no-walk', '-z', '--no-show-signature', '--no-color', '--format=%h%x00%(describe:tags=true)', oid];
  const [short = '', describe = ''] = (await repository.read(command)).stdout.toString('utf8').split('\0');
  return { short, ...(describe.trim() !== '' && { describe: describe.trim() }) };
}
