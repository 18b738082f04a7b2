import { Flag, Integer, ListOf, Text } from '@org/mcp-decorators';

import type { Repository } from '../repository/repository.ts';
import { listStashes } from '../repository/stashes.ts';
import { listPage, type ListInput } from './list-page.ts';

export class Stash {
  @Integer('What the other stash tools call it; 0 is the newest') stash!: number;
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

/** Lists the stash, at most `maxEntries` and `maxBytes` of it. @throws ToolError INVALID_ARGUMENTS */
export async function gitStashList(repository: Repository, { cursor }: ListInput): Promise<StashList> {
  const all = (await listStashes(repository)).map(({ oid, made, message }, stash) => ({
    stash,
    oid,
    message,
    date: new Date(made * 1000).toISOString(),
  }));
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: stashes, ...next } = listPage(all, { cursor, most, maxBytes });
  return { stashes, total: all.length, truncated: next.next_cursor !== undefined, ...next };
}
