import type { IncomingMessage } from 'node:http';

import { UsageError } from '../process/usage-error.ts';
import { HttpError } from '../http-messages/http-error.ts';

/** Host names that requests may address, and origins that may send requests. Names have no ports; IPv6 addresses are in brackets. */
export interface RequestGuardOptions {
  /** `*` allows every name. */
  readonly allowedHosts: readonly string[];
  /** Host names of origins, or `scheme://*` for all origins of a scheme other than http and https. */
  readonly allowedOrigins: readonly string[];
}

/** Matches exactly a host and an optional port; a lenient parser would also accept a user, a path or a second value. */
const AUTHORITY = /^(?<host>\[[\da-f:.]+\]|[^\s/?#@\\[\]:,%*]+)(?<port>:\d{1,5})?$/i;
const ORIGIN = /^(?<scheme>[a-z][a-z\d+.-]*):\/\/(?<authority>.+)$/;
/**
 * Matches all origins of a scheme. Browser extensions have an id instead of a host, and in some browsers the id differs
 * for each installation.
 */
const SCHEME = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/\*$/;

/** Rejects requests by their Host and Origin headers, as a protection against DNS rebinding and cross-site requests. */
export class RequestGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  /** @throws UsageError for an entry that is not a valid host name, because such an entry would never match */
  constructor({ allowedHosts, allowedOrigins }: RequestGuardOptions) {
    this.#hosts = new Set(allowedHosts.map((host) => (host === '*' ? host : parseHostName(host, 'host'))));
    this.#origins = new Set(allowedOrigins.map((host) => (SCHEME.test(host) ? host : parseHostName(host, 'origin'))));
  }

  /**
   * Asserts that the request addresses an allowed host (otherwise a page could reach the server by DNS rebinding) and comes from an
   * allowed origin.
   *
   * @throws HttpError 403, or 400 for several Host headers
   */
  assertAllowed({ headers: { host, origin }, rawHeaders }: IncomingMessage): void {
    // Node exposes only the first Host header, but a proxy may have checked another one.
    if (rawHeaders.filter(isHostHeader).length > 1) throw new HttpError(400, 'The request has more than one Host header');
    if (!this.#hosts.has('*') && !includesHost(host ?? '', this.#hosts))
      throw new HttpError(403, 'The Host header names a host that is not allowed (--allowed-hosts)');
    if (origin !== undefined && origin !== '' && !this.#allowsOrigin(origin))
      throw new HttpError(403, 'The Origin header names an origin that is not allowed (--allowed-origins)');
  }

  #allowsOrigin(origin: string): boolean {
    const { scheme = '', authority = '' } = ORIGIN.exec(origin)?.groups ?? {};
    return this.#origins.has(`${scheme}://*`) || includesHost(authority, this.#origins);
  }
}

function includesHost(authority: string, hosts: ReadonlySet<string>): boolean {
  const { host } = AUTHORITY.exec(authority)?.groups ?? {};
  return host !== undefined && (hosts.has(host) || hosts.has(normalizeHost(host)));
}

function parseHostName(entry: string, kind: 'host' | 'origin'): string {
  const { host, port } = AUTHORITY.exec(entry)?.groups ?? {};
  const name = host === undefined || port !== undefined ? '' : normalizeHost(host);
  if (name !== '') return name;
  throw new UsageError(`--allowed-${kind}s: ${JSON.stringify(entry)} is not a valid host name such as example.com`);
}

/** Returns the host as it appears in URLs; empty if it is not valid. */
function normalizeHost(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}

function isHostHeader(text: string, position: number): boolean {
  return position % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
}
