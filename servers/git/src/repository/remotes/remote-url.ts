import { ToolError } from '@org/mcp-decorators';

import { trimEnd } from '../../text/cut.ts';
import { redactSecrets } from '../../text/redact.ts';
import { quoteInput } from '../../text/visible.ts';
import type { Policy } from '../repository.ts';

const PORTS = { https: 443, http: 80, ssh: 22 } as const;

type Scheme = keyof typeof PORTS;

/** The parsed URL of a remote. */
export interface RemoteUrl {
  /** The URL without passwords and tokens. */
  readonly shown: string;
  readonly scheme: Scheme;
  /** Host name in lower case. */
  readonly host: string;
  readonly port: number;
}

const MAX_URL = 2000;

// These patterns are stricter than git, so that git, ssh and curl all find the same host. They reject `%` in the host, `@` in the
// user name or password, and backslashes and white space anywhere.
const HOST = String.raw`(?<host>[a-z0-9_](?:[a-z0-9._-]*)|\[[0-9a-f:.]+\])`;
const USER = String.raw`(?:(?<user>[^-\s/@:?#\\][^\s/@:?#\\]*)(?<password>:[^\s/@?#\\]*)?@)?`;
const WITH_SCHEME = new RegExp(String.raw`^(?<scheme>https|http|ssh)://${USER}${HOST}(?::(?<port>\d{1,5}))?(?:/[^\s\\]*)?$`, 'i');
/**
 * Matches the short form of an ssh URL, `git@host:path`. Does not match `host::path`, which would start a remote helper of git,
 * or `x:\`, which is a directory.
 */
const SHORT_FORM = new RegExp(String.raw`^(?:(?<user>[\w.][\w.-]*)@)?${HOST}:(?![-:\\]|//)(?<path>[^\s\\]+)$`, 'i');

/**
 * Parses the URL of a remote and requires that the operator allows its host.
 *
 * @throws ToolError INVALID_URL unless the URL has the scheme https, ssh or http, or the form `user@host:path`; HOST_NOT_ALLOWED
 * if the operator does not allow the host, or does not name it explicitly for http
 */
export function requirePermittedUrl(url: string, policy: Policy): RemoteUrl {
  const found = parseUrl(url);
  if (found === undefined) throw invalidUrlError(url);
  if (!isPermitted(found, policy)) throw hostNotAllowedError(found, policy);
  return found;
}

/** Whether a URL is an absolute path. Two slashes would name a host on Windows. */
export function isDirectoryUrl(url: string): boolean {
  return url.length <= MAX_URL && /^\/(?!\/)\P{Cc}*$/u.test(url);
}

/** @throws ToolError INVALID_URL for a URL with a password or a token, because the URL would be written to the configuration */
export function requireNoSecret(url: string): void {
  if (redactSecrets(url) !== url || /^[a-z]+:\/\/([^/@]*)@/i.exec(url)?.[1]?.includes(':') === true)
    throw new ToolError('INVALID_URL', 'the URL contains a password or a token, which would be written to the configuration', {
      hint: 'remove the password or token from the URL; a git credential helper or an SSH agent can provide it',
    });
}

/** Whether the operator allows http for at least one host. */
export function allowsHttp({ remoteHosts = [] }: Policy): boolean {
  return remoteHosts.some((host) => host.toLowerCase().startsWith('http://'));
}

function parseUrl(url: string): RemoteUrl | undefined {
  // A single letter before the colon is a drive of Windows.
  if (url.length > MAX_URL || /^[a-z]:/i.test(url)) return undefined;
  const { scheme = 'ssh', host, port } = (WITH_SCHEME.exec(url) ?? SHORT_FORM.exec(url))?.groups ?? {};
  if (host === undefined || !isScheme(scheme)) return undefined;
  return { shown: redactSecrets(url), scheme, host: host.toLowerCase(), port: port === undefined ? PORTS[scheme] : Number(port) };
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

function invalidUrlError(url: string): ToolError {
  return new ToolError('INVALID_URL', `${quoteInput(redactSecrets(url).slice(0, MAX_URL))} is not a valid URL for a remote`, {
    hint: 'use https://HOST/PATH, ssh://USER@HOST/PATH, USER@HOST:PATH, or the absolute path of a repository in the allowed directories',
  });
}

function hostNotAllowedError({ shown, scheme }: RemoteUrl, { remoteHosts }: Policy): ToolError {
  const hint =
    scheme === 'http'
      ? 'use https; http requires a host that the operator names, as in --remote-hosts http://HOST'
      : `the operator allows only these hosts: ${remoteHosts?.join(', ') ?? ''}`;
  return new ToolError('HOST_NOT_ALLOWED', `${quoteInput(shown)} is not on an allowed host`, { hint });
}
