import { Text } from '@org/mcp-decorators';

import type { ReadObject } from '../repository/object.ts';
import { symbolicName } from '../repository/ref-name.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveObject } from '../repository/revision.ts';
import { RepositoryInput } from './repository-input.ts';

export class GitRevParseInput extends RepositoryInput {
  @Text('Any expression for one object, such as main~2, @{upstream} or v1:path') revision!: string;
}

/** What a revision names. */
export class ResolvedRevision {
  @Text() oid!: string;
  @Text('commit, tree, blob or tag') type!: string;
  @Text('As few digits as name it alone') short!: string;
  @Text('The reference that was named', { optional: true }) symbolic?: string;
  @Text('By the nearest tag', { optional: true }) describe?: string;
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
