import { nearest, ToolError, visibleName } from '@org/mcp-decorators';

import { redacted } from '../text/redacted.ts';
import { quoted } from '../text/visible.ts';
import type { Configuration } from './environment.ts';
import type { NewRepository } from './new-repository.ts';
import { parseConfig, type ConfigEntry } from './parse/config.ts';
import type { Repository } from './repository.ts';
import { isRepositorys, isUsers } from './trust.ts';

/** A remote as it is configured. */
export interface ConfiguredRemote {
  readonly name: string;
  /** As they are written, which may be with passwords. */
  readonly urls: readonly string[];
  readonly pushUrls: readonly string[];
  /** What it says about which branches become which. */
  readonly fetch: readonly string[];
}

/** What the configuration says about remotes. */
export interface RemoteSettings {
  readonly remotes: readonly ConfiguredRemote[];
  /** The user's own helpers and names, by key. */
  readonly credentials: Configuration;
  /** The remote and the full name of the branch there, by local branch. */
  readonly upstreams: ReadonlyMap<string, { readonly remote?: string; readonly merge?: string }>;
}

/** The only keys of `http` that a repository may set for itself: the others lead connections elsewhere, or send and read files. */
const HARMLESS = new Set(['postbuffer', 'version']);
const HTTP = /^http\.(?:[^]*\.)?([^.]+)$/;
const MISLEADING = [/^remote\.[^]+\.(?:proxy|proxyauthmethod|serveroption)$/, /^fetch\.(?:bundleuri|fsck\.[^]+)$/];
const NAME = /^(?!\.|.*(?:\.\.|\/[/.]|@\{|\.lock(?:\/|$)))[^\p{Cc}\s~^:?*[\\/-][^\p{Cc}\s~^:?*[\\]*(?<![./])$/u;
const MAX_NAME = 200;

/**
 * Reads what is configured, and sees that it leads nobody astray.
 *
 * @throws ToolError REPO_UNTRUSTED for a repository that sets a proxy, headers, certificates or cookies of its own
 */
export async function readRemoteSettings(repository: Repository): Promise<RemoteSettings> {
  const { stdout } = await repository.read(['config', '--list', '-z', '--show-scope', '--show-origin']);
  const entries = parseConfig(stdout);
  const keys = [...new Set(entries.filter(misleads).map(({ key }) => key))];
  if (keys.length > 0 && !repository.isTrusted) throw untrusted(keys);
  return { remotes: remotesOf(entries), credentials: credentialsOf(entries), upstreams: upstreamsOf(entries) };
}

/** The user's own credential helpers and names, where there is no repository. */
export async function usersCredentials(made: NewRepository): Promise<Configuration> {
  const { stdout } = await made.read(['config', '--list', '-z', '--show-scope', '--show-origin']);
  return credentialsOf(parseConfig(stdout));
}

/**
 * A name that a remote may have, and that no command takes for an option.
 *
 * @throws ToolError INVALID_REF_NAME
 */
export function requireRemoteName(name: string): void {
  if (name.length > MAX_NAME || !NAME.test(name))
    throw new ToolError('INVALID_REF_NAME', `${quoted(name)} cannot be the name of a remote`);
}

/**
 * The remote of a name.
 *
 * @throws ToolError INVALID_REF_NAME, REMOTE_NOT_FOUND with the nearest name
 */
export function requireRemote({ remotes }: RemoteSettings, name: string): ConfiguredRemote {
  requireRemoteName(name);
  const found = remotes.find((remote) => remote.name === name);
  if (found !== undefined) return found;
  const near = nearest(
    name,
    remotes.map((remote) => remote.name),
  );
  const hint = near === undefined ? 'git_remote_list shows those there are' : `did you mean ${visibleName(near)}?`;
  throw new ToolError('REMOTE_NOT_FOUND', `there is no remote ${quoted(name)}`, { hint });
}

/** The remote that a branch follows, else `origin`, else the only one. */
export function usualRemote(settings: RemoteSettings, branch: string | undefined): string {
  const { remotes, upstreams } = settings;
  const names = remotes.map(({ name }) => name);
  const followed = branch === undefined ? undefined : upstreams.get(branch)?.remote;
  if (followed !== undefined && names.includes(followed)) return followed;
  return names.length === 1 ? (names[0] ?? 'origin') : 'origin';
}

function misleads(entry: ConfigEntry): boolean {
  if (!isRepositorys(entry)) return false;
  const variable = HTTP.exec(entry.key)?.[1];
  if (variable !== undefined) return !HARMLESS.has(variable);
  return MISLEADING.some((pattern) => pattern.test(entry.key));
}

function remotesOf(entries: readonly ConfigEntry[]): readonly ConfiguredRemote[] {
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

function credentialsOf(entries: readonly ConfigEntry[]): Configuration {
  const credentials = new Map<string, string[]>();
  for (const { key, value } of entries.filter(isUsers))
    if (key.startsWith('credential.')) credentials.set(key, [...(credentials.get(key) ?? []), value]);
  return Object.fromEntries(credentials);
}

function upstreamsOf(entries: readonly ConfigEntry[]): RemoteSettings['upstreams'] {
  const upstreams = new Map<string, { readonly remote?: string; readonly merge?: string }>();
  for (const { key, value } of entries) {
    const [, branch, variable] = /^branch\.([^]+)\.(remote|merge)$/.exec(key) ?? [];
    if (branch !== undefined && variable !== undefined) upstreams.set(branch, { ...upstreams.get(branch), [variable]: value });
  }
  return upstreams;
}

function untrusted(keys: readonly string[]): ToolError {
  const shown = keys.slice(0, 10).map((key) => visibleName(redacted(key)));
  return new ToolError('REPO_UNTRUSTED', `the repository's own configuration may lead connections astray: ${shown.join(', ')}`, {
    hint: 'set it in your own configuration instead, in a file outside the allowed directories; or, if you trust it, start the server with --trust listed and the repository as an argument',
    data: { keys: shown },
  });
}
