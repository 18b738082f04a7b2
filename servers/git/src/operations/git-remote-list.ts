import { Field } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

import { readRemoteSettings, type ConfiguredRemote } from '../repository/remote-settings.ts';
import type { Repository } from '../repository/repository.ts';
import { redacted } from '../text/redacted.ts';
import { listPage, type ListInput } from './list-page.ts';

/** A remote, with URLs that have no passwords in them. */
export class Remote {
  @IsString()
  name!: string;

  @Field('As configured; passwords are ***')
  @IsString()
  url!: string;

  @Field('Where pushes go, if elsewhere')
  @IsOptional()
  @IsString()
  push_url?: string;
}

export class RemoteList {
  @Field('In the order of the configuration', { type: () => Remote })
  @ValidateNested({ each: true })
  remotes!: Remote[];

  @IsInt()
  total!: number;

  @IsOptional()
  @IsString()
  next_cursor?: string;
}

/**
 * Lists the remotes of a repository, at most `maxEntries` and `maxBytes` of them.
 *
 * @throws ToolError REPO_UNTRUSTED, INVALID_ARGUMENTS
 */
export async function gitRemoteList(repository: Repository, { cursor }: ListInput): Promise<RemoteList> {
  const all = (await readRemoteSettings(repository)).remotes.map(shownRemote);
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: remotes, ...next } = listPage(all, { cursor, most, maxBytes });
  return { remotes, total: all.length, ...next };
}

/** A remote as it may be shown. */
export function shownRemote({ name, urls, pushUrls }: ConfiguredRemote): Remote {
  const [url = ''] = urls;
  const [pushUrl] = pushUrls;
  return { name, url: redacted(url), ...(pushUrl !== undefined && { push_url: redacted(pushUrl) }) };
}
