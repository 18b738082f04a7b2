import { parseDuration } from '../options/duration.ts';
import { parseSize } from '../options/size.ts';
import type { ServerOptions } from '../server-options.ts';
import { UsageError } from '../usage-error.ts';
import type { HttpOptions } from './http-options.ts';
import { isWildcard, parseListenAddress } from './listen-address.ts';

/** How a process serves over HTTP, from its own options. @throws UsageError for an address that lacks what it needs */
export function httpOptionsOf(options: ServerOptions, address: string): HttpOptions {
  const { host, port } = parseListenAddress(address);
  const { allowedHosts, allowedOrigins, publicUrl, sse, maxSessions, maxListeners } = options;
  if (isWildcard(host) && allowedHosts === undefined)
    throw new UsageError(`--http ${address} takes connections for every name; say which with --allowed-hosts (* for any)`);
  if (publicUrl !== undefined && !/^https?:\/\/[^/]+\/?$/.test(publicUrl))
    throw new UsageError(
      `--public-url: ${JSON.stringify(publicUrl)} is not a URL without a path, for instance https://example.org`,
    );
  return {
    host,
    port,
    ...(allowedHosts !== undefined && { allowedHosts }),
    ...(allowedOrigins !== undefined && { allowedOrigins }),
    ...(publicUrl !== undefined && { publicUrl }),
    sse,
    maxConnections: options.maxHttpConnections,
    maxSessions,
    maxListeners,
    maxBody: parseSize(options.maxMessage),
    eventBuffer: parseSize(options.eventBuffer),
    sessionIdle: parseDuration(options.sessionIdle),
    pingInterval: parseDuration(options.pingInterval),
  };
}
