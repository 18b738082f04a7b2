import { Integer, ListOf, Result, Text, escapeInvisible } from '@org/mcp-decorators';

import { readRemoteSettings, type ConfiguredRemote } from '../../repository/remotes/remote-settings.ts';
import type { Repository } from '../../repository/repository.ts';
import { redactSecrets } from '../../text/redact.ts';
import { listPage, type ListInput } from '../inputs/list-page.ts';
import { formatRest } from '../results/result-text.ts';

/** A remote with redacted URLs. */
export class Remote {
  @Text() name!: string;
  @Text('Configured URL; passwords are ***') url!: string;
  @Text('URL for pushes, if it differs', { optional: true }) push_url?: string;
}

export class RemoteList {
  @ListOf(() => Remote, 'Remotes, in the order of the configuration') remotes!: Remote[];
  @Integer() total!: number;
  @Text({ optional: true }) next_cursor?: string;
}

/**
 * Lists at most `maxEntries` remotes and `maxBytes` bytes.
 *
 * @throws ToolError REPO_UNTRUSTED, INVALID_ARGUMENTS
 */
export async function gitRemoteList(repository: Repository, { cursor }: ListInput): Promise<Result> {
  const all = (await readRemoteSettings(repository)).remotes.map(redactRemote);
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items: remotes, ...next } = listPage(all, { cursor, most, maxBytes });
  return formatRemotes({ remotes, total: all.length, ...next });
}

/** Returns a remote with its first URL and its first push URL, without the secrets of these URLs. */
export function redactRemote({ name, urls, pushUrls }: ConfiguredRemote): Remote {
  const [url = ''] = urls;
  const [pushUrl] = pushUrls;
  return { name, url: redactSecrets(url), ...(pushUrl !== undefined && { push_url: redactSecrets(pushUrl) }) };
}

function formatRemotes(list: RemoteList): Result {
  const lines = list.remotes.map(formatRemote);
  if (list.next_cursor !== undefined) lines.push(formatRest(list, list.remotes.length, 'remotes'));
  return Result.of(list, lines.length === 0 ? 'No remotes' : lines.join('\n'));
}

export function formatRemoteResult(remote: Remote, done: string): Result {
  return Result.of(remote, `${done} ${formatRemote(remote)}`);
}

function formatRemote({ name, url, push_url }: Remote): string {
  return `${escapeInvisible(name)} ${escapeInvisible(url)}${push_url === undefined ? '' : ` (push: ${escapeInvisible(push_url)})`}`;
}
