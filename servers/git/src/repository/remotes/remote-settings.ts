import { findNearestName, ToolError, escapeInvisible } from '@org/mcp-decorators';

import { redactSecrets } from '../../text/redact.ts';
import { quoteInput } from '../../text/visible.ts';
import { isRepositoryEntry, isUserEntry } from '../guard/trust.ts';
import type { NewRepository } from '../new-repository.ts';
import { parseConfig, type ConfigEntry } from '../parse/config.ts';
import type { Configuration } from '../process/environment.ts';
import type { Repository } from '../repository.ts';

/** A remote in the configuration. */
export interface ConfiguredRemote {
  readonly name: string;
  /** URLs as configured, which may contain passwords. */
  readonly urls: readonly string[];
  readonly pushUrls: readonly string[];
  /** Refspecs for fetch. */
  readonly fetch: readonly string[];
}

/** Settings for remotes. */
export interface RemoteSettings {
  readonly remotes: readonly ConfiguredRemote[];
  /** Credential settings of the user, by key. */
  readonly credentials: Configuration;
  /** Upstream of each local branch: the remote, and the full name of the branch at that remote. */
  readonly upstreams: ReadonlyMap<string, { readonly remote?: string; readonly merge?: string }>;
}

/** The only `http` settings that a repository may contain. Other `http` settings can redirect connections, or send and read files. */
const HARMLESS_HTTP_KEYS = new Set(['postbuffer', 'version']);
const HTTP = /^http\.(?:[^]*\.)?([^.]+)$/;
const REDIRECTING = [/^remote\.[^]+\.(?:proxy|proxyauthmethod|serveroption)$/, /^fetch\.(?:bundleuri|fsck\.[^]+)$/];
const NAME = /^(?!\.|.*(?:\.\.|\/[/.]|@\{|\.lock(?:\/|$)))[^\p{Cc}\s~^:?*[\\/-][^\p{Cc}\s~^:?*[\\]*(?<![./])$/u;
const MAX_NAME = 200;

/**
 * Reads the settings for remotes.
 *
 * @throws ToolError REPO_UNTRUSTED if an untrusted repository has settings that may redirect connections or make them unsafe,
 * such as a proxy
 */
export async function readRemoteSettings(repository: Repository): Promise<RemoteSettings> {
  const { stdout } = await repository.read(['config', '--list', '-z', '--show-scope', '--show-origin']);
  const entries = parseConfig(stdout);
  const keys = [...new Set(entries.filter(redirectsConnections).map(({ key }) => key))];
  if (keys.length > 0 && !repository.isTrusted) throw untrustedError(keys);
  return { remotes: collectRemotes(entries), credentials: collectCredentials(entries), upstreams: collectUpstreams(entries) };
}

/** Reads the credential settings of the user, for a repository that is being created. */
export async function readUserCredentials(made: NewRepository): Promise<Configuration> {
  const { stdout } = await made.read(['config', '--list', '-z', '--show-scope', '--show-origin']);
  return collectCredentials(parseConfig(stdout));
}

/**
 * Requires that a name is valid for a remote, so that no command parses it as an option.
 *
 * @throws ToolError INVALID_REF_NAME
 */
export function requireRemoteName(name: string): void {
  if (name.length > MAX_NAME || !NAME.test(name))
    throw new ToolError('INVALID_REF_NAME', `${quoteInput(name)} is not a valid name for a remote`);
}

/**
 * Returns the remote with a name.
 *
 * @throws ToolError INVALID_REF_NAME, REMOTE_NOT_FOUND with the most similar name
 */
export function requireRemote({ remotes }: RemoteSettings, name: string): ConfiguredRemote {
  requireRemoteName(name);
  const found = remotes.find((remote) => remote.name === name);
  if (found !== undefined) return found;
  const near = findNearestName(
    name,
    remotes.map((remote) => remote.name),
  );
  const hint = near === undefined ? 'git_remote_list lists all remotes' : `did you mean ${escapeInvisible(near)}?`;
  throw new ToolError('REMOTE_NOT_FOUND', `the remote ${quoteInput(name)} does not exist`, { hint });
}

/** Returns the upstream remote of a branch, or else the only remote, or else `origin`. */
export function chooseRemote(settings: RemoteSettings, branch: string | undefined): string {
  const { remotes, upstreams } = settings;
  const names = remotes.map(({ name }) => name);
  const followed = branch === undefined ? undefined : upstreams.get(branch)?.remote;
  if (followed !== undefined && names.includes(followed)) return followed;
  return names.length === 1 ? (names[0] ?? 'origin') : 'origin';
}

function redirectsConnections(entry: ConfigEntry): boolean {
  if (!isRepositoryEntry(entry)) return false;
  const variable = HTTP.exec(entry.key)?.[1];
  if (variable !== undefined) return !HARMLESS_HTTP_KEYS.has(variable);
  return REDIRECTING.some((pattern) => pattern.test(entry.key));
}

function collectRemotes(entries: readonly ConfigEntry[]): readonly ConfiguredRemote[] {
  const settings = entries.flatMap(({ key, value }) => {
    const [, name, variable] = /^remote\.([^]+)\.(url|pushurl|fetch)$/.exec(key) ?? [];
    return name === undefined ? [] : [{ name, variable, value }];
  });
  const names = [...new Set(settings.map(({ name }) => name))];
  return names.flatMap((name) => {
    const valuesOf = (wanted: string): readonly string[] =>
      settings.filter((each) => each.name === name && each.variable === wanted).map(({ value }) => value);
    const urls = valuesOf('url');
    return urls.length === 0 ? [] : [{ name, urls, pushUrls: valuesOf('pushurl'), fetch: valuesOf('fetch') }];
  });
}

function collectCredentials(entries: readonly ConfigEntry[]): Configuration {
  const credentials = new Map<string, string[]>();
  for (const { key, value } of entries.filter(isUserEntry))
    if (key.startsWith('credential.')) credentials.set(key, [...(credentials.get(key) ?? []), value]);
  return Object.fromEntries(credentials);
}

function collectUpstreams(entries: readonly ConfigEntry[]): RemoteSettings['upstreams'] {
  const upstreams = new Map<string, { readonly remote?: string; readonly merge?: string }>();
  for (const { key, value } of entries) {
    const [, branch, variable] = /^branch\.([^]+)\.(remote|merge)$/.exec(key) ?? [];
    if (branch !== undefined && variable !== undefined) upstreams.set(branch, { ...upstreams.get(branch), [variable]: value });
  }
  return upstreams;
}

function untrustedError(keys: readonly string[]): ToolError {
  const shown = keys.slice(0, 10).map((key) => escapeInvisible(redactSecrets(key)));
  return new ToolError(
    'REPO_UNTRUSTED',
    `the configuration of the repository may redirect connections or make them unsafe: ${shown.join(', ')}`,
    {
      hint: 'move these settings to your own configuration, in a file outside the allowed directories; or, if you trust the repository, start the server with --trust listed and the repository as an argument',
      data: { keys: shown },
    },
  );
}
