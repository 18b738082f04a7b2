import { ToolError } from '@org/mcp-decorators';

import { redacted } from '../text/redacted.ts';
import { trimEnd } from '../text/trim-end.ts';
import { quoted } from '../text/visible.ts';
import type { Policy } from './repository.ts';

const PORTS = { https: 443, http: 80, ssh: 22 } as const;

type Scheme = keyof typeof PORTS;

/** Where a remote is. */
export interface RemoteUrl {
  /** As it may be shown: without passwords and tokens. */
  readonly shown: string;
  readonly scheme: Scheme;
  /** In lower case. */
  readonly host: string;
  readonly port: number;
}

const MAX_URL = 2000;

// Stricter than git: with no `%`, `\`, space or second `@`, ssh, curl and this all find the same host in it.
const HOST = String.raw`(?<host>[a-z0-9_](?:[a-z0-9._-]*)|\[[0-9a-f:.]+\])`;
const USER = String.raw`(?:(?<user>[^-\s/@:?#\\][^\s/@:?#\\]*)(?<password>:[^\s/@?#\\]*)?@)?`;
const WITH_SCHEME = new RegExp(String.raw`^(?<scheme>https|http|ssh)://${USER}${HOST}(?::(?<port>\d{1,5}))?(?:/[^\s\\]*)?$`, 'i');
/** `git@host:path`, which is ssh; `host::path` would be a program of git's, `x:\` a directory. */
const SHORT_FORM = new RegExp(String.raw`^(?:(?<user>[\w.][\w.-]*)@)?${HOST}:(?![-:\\]|//)(?<path>[^\s\\]+)$`, 'i');

/**
 * Reads the URL of a remote and sees that the operator allows it.
 *
 * @throws ToolError INVALID_URL for anything but https, ssh and a named http, HOST_NOT_ALLOWED
 */
export function requirePermittedUrl(url: string, policy: Policy): RemoteUrl {
  const found = parseUrl(url);
  if (found === undefined) throw invalidUrl(url);
  if (!isPermitted(found, policy)) throw notAllowed(found, policy);
  return found;
}

/** @throws ToolError INVALID_URL for a URL with a password or a token, which would be written to the configuration */
export function requireNoSecret(url: string): void {
  if (redacted(url) !== url || /^[a-z]+:\/\/([^/@]*)@/i.exec(url)?.[1]?.includes(':') === true)
    throw new ToolError('INVALID_URL', 'the URL has a password or a token in it, which would be written to the configuration', {
      hint: 'leave it out: a credential helper of git, or an SSH agent, gives it when it is needed',
    });
}

/** Whether plain http is spoken with anybody. */
export function speaksHttp({ remoteHosts = [] }: Policy): boolean {
  return remoteHosts.some((host) => host.toLowerCase().startsWith('http://'));
}

function parseUrl(url: string): RemoteUrl | undefined {
  // A drive letter and a path are what Windows has.
  if (url.length > MAX_URL || /^[a-z]:/i.test(url)) return undefined;
  const { scheme = 'ssh', host, port } = (WITH_SCHEME.exec(url) ?? SHORT_FORM.exec(url))?.groups ?? {};
  if (host === undefined || !isScheme(scheme)) return undefined;
  return { shown: redacted(url), scheme, host: host.toLowerCase(), port: port === undefined ? PORTS[scheme] : Number(port) };
}

function isScheme(name: string): name is Scheme {
  return Object.hasOwn(PORTS, name);
}

function isPermitted({ scheme, host, port }: RemoteUrl, { remoteHosts }: Policy): boolean {
  if (remoteHosts === undefined) return scheme !== 'http';
  const prefix = scheme === 'http' ? 'http://' : '';
  const names = [`${prefix}${host}:${port}`, ...(scheme !== 'http' || port === PORTS.http ? [`${prefix}${host}`] : [])];
  return remoteHosts.some((allowed) => names.includes(trimEnd(allowed.toLowerCase(), '/')));
}

function invalidUrl(url: string): ToolError {
  return new ToolError('INVALID_URL', `${quoted(redacted(url).slice(0, MAX_URL))} is not the URL of a remote`, {
    hint: 'https://HOST/PATH, ssh://USER@HOST/PATH or USER@HOST:PATH; no directories, and no other protocols',
  });
}

function notAllowed({ shown, scheme }: RemoteUrl, { remoteHosts }: Policy): ToolError {
  const hint =
    scheme === 'http'
      ? 'use https; plain http is spoken only with a host that the operator names, as in --remote-hosts http://HOST'
      : `the operator allows only these: ${remoteHosts?.join(', ') ?? ''}`;
  return new ToolError('HOST_NOT_ALLOWED', `${quoted(shown)} is not at a host that is allowed`, { hint });
}
