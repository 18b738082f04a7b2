import { Result, Text, escapeInvisible } from '@org/mcp-decorators';

import type { ReadObject } from '../../repository/refs/object.ts';
import { findRefName, resolveObject } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';

export class GitRevParseInput extends RepositoryInput {
  @Text('Expression that names one object, such as main~2, @{upstream} or v1:path') revision!: string;
}

/** The object that a revision names. */
export class ResolvedRevision {
  @Text() oid!: string;
  @Text('commit, tree, blob or tag') type!: string;
  @Text('Shortest unique prefix of oid') short!: string;
  @Text('Full name of the reference', { optional: true }) symbolic?: string;
  @Text('Nearest tag, as git describe formats it', { optional: true }) describe?: string;
}

/** @throws ToolError INVALID_REVISION, EMPTY_REPO */
export async function gitRevParse(repository: Repository, { revision }: GitRevParseInput): Promise<Result> {
  const object = await resolveObject(repository, revision, { length: 0 });
  const [symbolic, names] = await Promise.all([findRefName(repository, revision), readNames(repository, object)]);
  return formatRevision({ oid: object.oid, type: object.type, ...names, ...(symbolic !== undefined && { symbolic }) });
}

async function readNames(
  repository: Repository,
  { oid, type }: ReadObject,
): Promise<Pick<ResolvedRevision, 'short' | 'describe'>> {
  if (type !== 'commit') {
    const { stdout } = await repository.read(['rev-parse', '--short', oid]);
    return { short: stdout.toString('utf8').trim() };
  }
  const command = ['log', '--no-walk', '-z', '--no-show-signature', '--no-color', '--format=%h%x00%(describe:tags=true)', oid];
  const [short = '', describe = ''] = (await repository.read(command)).stdout.toString('utf8').split('\0');
  return { short, ...(describe.trim() !== '' && { describe: describe.trim() }) };
}

function formatRevision(resolved: ResolvedRevision): Result {
  const { oid, type, short: abbreviated, symbolic, describe } = resolved;
  const names = [symbolic, describe].filter((name) => name !== undefined).map(escapeInvisible);
  return Result.of(resolved, [`${type} ${oid}`, abbreviated, ...names].join('\n'));
}
