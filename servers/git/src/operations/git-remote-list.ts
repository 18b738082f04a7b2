import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString, ValidateNested } from 'class-validator';

import { readRemoteSettings, type ConfiguredRemote } from '../repository/remote-settings.ts';
import type { Repository } from '../repository/repository.ts';
import { redacted } from '../text/redacted.ts';

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
}

/**
 * The remotes of a repository.
 *
 * @throws ToolError REPO_UNTRUSTED
 */
export async function gitRemoteList(repository: Repository): Promise<RemoteList> {
  const { remotes } = await readRemoteSettings(repository);
  return { remotes: remotes.map(shownRemote) };
}

/** A remote as it may be shown. */
export function shownRemote({ name, urls, pushUrls }: ConfiguredRemote): Remote {
  const [url = ''] = urls;
  const [pushUrl] = pushUrls;
  return { name, url: redacted(url), ...(pushUrl !== undefined && { push_url: redacted(pushUrl) }) };
}
