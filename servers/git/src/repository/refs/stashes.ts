import { ToolError } from '@org/mcp-decorators';

import { cutSubject } from '../../text/cut.ts';
import { decodeTexts, groupFields } from '../parse/fields.ts';
import type { Repository } from '../repository.ts';
import { findOid } from './object.ts';

const FORMAT = '%H%x00%ct%x00%gs';
const FIELDS = 3;

/** An entry of the stash list. The newest entry has the position 0. */
export interface ListedStash {
  readonly oid: string;
  /** Time of creation, in seconds since 1970. */
  readonly createdSeconds: number;
  /** Message, such as `On main: half a feature`. */
  readonly message: string;
}

export async function listStashes(repository: Repository): Promise<readonly ListedStash[]> {
  if ((await findOid(repository, 'refs/stash')) === undefined) return [];
  const flags = ['-z', '--walk-reflogs', '--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${FORMAT}`];
  const { stdout } = await repository.read(['log', ...flags, 'refs/stash', '--']);
  return groupFields(decodeTexts(stdout), FIELDS).map(([oid = '', made = '', message = '']) => ({
    oid,
    createdSeconds: Number(made),
    message: cutSubject(message),
  }));
}

/** @throws ToolError STASH_NOT_FOUND */
export async function requireStash(repository: Repository, position: number): Promise<ListedStash> {
  const stashes = await listStashes(repository);
  const stash = stashes[position];
  if (stash !== undefined) return stash;
  throw new ToolError('STASH_NOT_FOUND', `stash ${position} does not exist`, {
    hint: stashes.length === 0 ? 'the stash list is empty' : `the oldest stash is ${stashes.length - 1}`,
  });
}

/** Returns the object name of a stash, or `undefined` if it does not exist. Takes a fraction of the time of a list. */
export async function findStashOid(repository: Repository, position: number): Promise<string | undefined> {
  return findOid(repository, `refs/stash@{${position}}`);
}

/** Removes an entry from the stash list. Its commit still exists, but becomes unreachable. */
export async function dropStash(repository: Repository, position: number): Promise<void> {
  await repository.write(['stash', 'drop', '--quiet', `stash@{${position}}`]);
}
