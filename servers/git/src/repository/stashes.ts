import { ToolError } from '@org/mcp-decorators';

import { oidOf } from './object.ts';
import { decodeWords, records } from './parse/fields.ts';
import type { Repository } from './repository.ts';
import { cutSubject } from '../text/cut-subject.ts';

const FORMAT = '%H%x00%ct%x00%gs';
const FIELDS = 3;

/** An entry of the stash; the newest has the position 0. */
export interface ListedStash {
  readonly oid: string;
  /** Seconds since 1970. */
  readonly made: number;
  /** Such as `On main: half a feature`. */
  readonly message: string;
}

export async function listStashes(repository: Repository): Promise<readonly ListedStash[]> {
  if ((await oidOf(repository, 'refs/stash')) === undefined) return [];
  const flags = ['-z', '--walk-reflogs', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${FORMAT}`];
  const { stdout } = await repository.read(['log', ...flags, 'refs/stash', '--']);
  return records(decodeWords(stdout), FIELDS).map(([oid = '', made = '', message = '']) => ({
    oid,
    made: Number(made),
    message: cutSubject(message),
  }));
}

/** @throws ToolError STASH_NOT_FOUND */
export async function requireStash(repository: Repository, position: number): Promise<ListedStash> {
  const stashes = await listStashes(repository);
  const stash = stashes[position];
  if (stash !== undefined) return stash;
  throw new ToolError('STASH_NOT_FOUND', `there is no stash ${position}`, {
    hint: stashes.length === 0 ? 'nothing is stashed' : `the last one is ${stashes.length - 1}`,
  });
}

/** Takes an entry from the stash; its commit stays, but nothing refers to it any more. */
export async function dropStash(repository: Repository, position: number): Promise<void> {
  await repository.write(['stash', 'drop', '--quiet', `stash@{${position}}`]);
}
