import type { IncomingMessage } from 'node:http';

import { UsageError } from '../usage-error.ts';
import { Refusal } from './refusal.ts';

/** Which names a server answers to, and whose pages may call it; without ports, IPv6 addresses in brackets. */
export interface GuardOptions {
  /** `*` allows every name. */
  readonly allowedHosts: readonly string[];
  /** Host names of pages, or `scheme://*` for all of a scheme that is not http. */
  readonly allowedOrigins: readonly string[];
}

/** A host and a port as clients send them, and nothing that a lenient reader would overlook: a user, a path, a second value. */
const AUTHORITY = /^(?<host>\[[\da-f:.]+\]|[^\s/?#@\\[\]:,%*]+)(?<port>:\d{1,5})?$/i;
const ORIGIN = /^(?<scheme>[a-z][a-z\d+.-]*):\/\/(?<authority>.+)$/;
/** An extension of a browser has an id instead of a host, and in some browsers another one in each. */
const SCHEME = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/\*$/;

/** Refuses requests by their Host and Origin headers. */
export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  /** @throws UsageError for an entry that is no host name: it would never match */
  constructor({ allowedHosts, allowedOrigins }: GuardOptions) {
    this.#hosts = new Set(allowedHosts.map((host) => (host === '*' ? host : named(host, 'host'))));
    this.#origins = new Set(allowedOrigins.map((host) => (SCHEME.test(host) ? host : named(host, 'origin'))));
  }

  /**
   * Refuses requests by a host name that is not the server's own, as a page sends whose name was bound to this address, and
   * requests of pages that are not allowed.
   *
   * @throws Refusal 403, and 400 for a request that names several hosts
   */
  assertAllowed({ headers: { host, origin }, rawHeaders }: IncomingMessage): void {
    // Node shows the first alone, and a proxy may have looked at another.
    if (rawHeaders.filter(isHost).length > 1) throw new Refusal(400, 'There is more than one Host header');
    if (!this.#hosts.has('*') && !isNamed(host ?? '', this.#hosts))
      throw new Refusal(403, 'The Host header names a host that is not allowed (--allowed-hosts)');
    if (origin !== undefined && origin !== '' && !this.#allowsOrigin(origin))
      throw new Refusal(403, 'The Origin header names a site that is not allowed (--allowed-origins)');
  }

  #allowsOrigin(origin: string): boolean {
    const { scheme = '', authority = '' } = ORIGIN.exec(origin)?.groups ?? {};
    return this.#origins.has(`${scheme}://*`) || isNamed(authority, this.#origins);
  }
}

function isNamed(authority: string, hosts: ReadonlySet<string>): boolean {
  const { host } = AUTHORITY.exec(authority)?.groups ?? {};
  return host !== undefined && (hosts.has(host) || hosts.has(canonical(host)));
}

function named(entry: string, kind: 'host' | 'origin'): string {
  const { host, port } = AUTHORITY.exec(entry)?.groups ?? {};
  const name = host === undefined || port !== undefined ? '' : canonical(host);
  if (name !== '') return name;
  throw new UsageError(`--allowed-${kind}s: ${JSON.stringify(entry)} is not a host name alone, like example.com`);
}

/** In the form that URLs have it; empty for what is none. */
function canonical(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}

function isHost(text: string, position: number): boolean {
  return position % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
}
