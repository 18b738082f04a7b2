import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsString, ValidateNested } from 'class-validator';

import type { Repository } from '../repository/repository.ts';
import { listStashes } from '../repository/stashes.ts';

export class Stash {
  @Field('What the other stash tools call it; 0 is the newest')
  @IsInt()
  stash!: number;

  @IsString()
  oid!: string;

  @IsString()
  message!: string;

  @IsString()
  date!: string;
}

export class StashList {
  @Field({ type: () => Stash })
  @ValidateNested({ each: true })
  stashes!: Stash[];

  @IsInt()
  total!: number;

  @IsBoolean()
  truncated!: boolean;
}

/** Lists the stash, at most `maxEntries` of it. */
export async function gitStashList(repository: Repository): Promise<StashList> {
  const all = await listStashes(repository);
  const stashes = all
    .slice(0, repository.limits.maxEntries)
    .map(({ oid, made, message }, stash) => ({ stash, oid, message, date: new Date(made * 1000).toISOString() }));
  return { stashes, total: all.length, truncated: stashes.length < all.length };
}
