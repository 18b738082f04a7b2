import { Flag, Integer, ListOf, Result, Text, escapeInvisible } from '@org/mcp-decorators';

import { listStashes } from '../../repository/refs/stashes.ts';
import type { Repository } from '../../repository/repository.ts';
import { shortOid } from '../../text/format.ts';
import { listPage, type ListInput } from '../inputs/list-page.ts';
import { formatRest } from '../results/result-text.ts';

export class Stash {
  @Integer('0 is the newest') stash!: number;
  @Text() oid!: string;
  @Text() message!: string;
  @Text() date!: string;
}

export class StashList {
  @ListOf(() => Stash) stashes!: Stash[];
  @Integer() total!: number;
  @Flag() truncated!: boolean;
  @Text({ optional: true }) next_cursor?: string;
}

/** Lists at most `maxEntries` stashes and `maxBytes` bytes. @throws ToolError INVALID_ARGUMENTS if the cursor is unknown */
export async function gitStashList(repository: Repository, { cursor }: ListInput): Promise<Result> {
  const all = (await listStashes(repository)).map(({ oid, createdSeconds, message }, stash) => ({
    stash,
    oid,
    message,
    date: new Date(createdSeconds * 1000).toISOString(),
  }));
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: stashes, ...next } = listPage(all, { cursor, most, maxBytes });
  return formatStashes({ stashes, total: all.length, truncated: next.next_cursor !== undefined, ...next });
}

function formatStashes(list: StashList): Result {
  const lines = list.stashes.map(
    ({ stash, oid, message, date }) => `${stash} ${shortOid(oid)} ${date} ${escapeInvisible(message)}`,
  );
  if (list.truncated) lines.push(formatRest(list, list.stashes.length, 'stashes'));
  return Result.of(list, lines.length === 0 ? 'No stashes' : lines.join('\n'));
}
