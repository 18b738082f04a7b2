import { Integer, ListOf, Text } from '@org/mcp-decorators';

import { readRemoteSettings, type ConfiguredRemote } from '../repository/remote-settings.ts';
import type { Repository } from '../repository/repository.ts';
import { redacted } from '../text/redacted.ts';
import { listPage, type ListInput } from './list-page.ts';

/** A remote, with URLs that have no passwords in them. */
export class Remote {
  @Text() name!: string;
  @Text('As configured; passwords are ***') url!: string;
  @Text('Where pushes go, if elsewhere', { optional: true }) push_url?: string;
}

export class RemoteList {
  @ListOf(() => Remote, 'In the order of the configuration') remotes!: Remote[];
  @Integer() total!: number;
  @Text({ optional: true }) next_cursor?: string;
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
