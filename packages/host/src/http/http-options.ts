import type { ServerFactoryOptions } from '@org/mcp-decorators';

import type { Authenticator } from '../auth/authenticator.ts';
import type { MetricsPage } from '../info/metrics.ts';
import type { SharedSessionOptions } from '../shared-state/shared-sessions.ts';

/** Options for serving server objects over HTTP; times in milliseconds, sizes in bytes. */
export interface HttpOptions extends ServerFactoryOptions {
  /** Host to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string;
  /** Port to listen on. Default: 0, which selects a free port. */
  readonly port?: number;
  /**
   * Host names that the Host header of a request may contain, without ports; `*` allows every name. Default: localhost,
   * 127.0.0.1, [::1] and `host`.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Hosts of web origins that may call the server; `scheme://*` allows all origins of a scheme other than http and https.
   * Default: localhost, 127.0.0.1 and [::1].
   */
  readonly allowedOrigins?: readonly string[];
  /** Authenticates requests by their tokens. Default: requests need no token. */
  readonly authenticator?: Authenticator;
  /** Public base URL, if clients reach the server through a proxy: `https://example.org`. Default: the Host header of the request. */
  readonly publicUrl?: string;
  /**
   * Maximum number of open connections; a further connection replaces an idle one, or is closed. Also the maximum number of requests
   * with a token that are in progress. Default: 4,096.
   */
  readonly maxConnections?: number;
  /** Maximum size of a request body. Default: 10 MiB. */
  readonly maxBody?: number;
  /** Maximum number of open sessions for each server object. Default: 1,000. */
  readonly maxSessions?: number;
  /**
   * Idle time after which a session is closed and its calls are aborted. A session is not idle while a connected client
   * waits for a result, but it is idle during a call whose client has disconnected. Default: 30 minutes.
   */
  readonly sessionIdle?: number;
  /**
   * Ping interval for idle sessions whose client has opened a stream for messages of the server, at most half of {@link
   * HttpOptions.sessionIdle}. A session that answers stays open. 0 disables pings. Default: 1 minute.
   */
  readonly pingInterval?: number;
  /** Lets other processes find and continue the sessions of this one. Default: only this process knows its sessions. */
  readonly sharedSessions?: SharedSessionOptions;
  /**
   * Maximum total size, in characters, of the messages that are kept for clients that lose a connection. Default:
   * 67,108,864.
   */
  readonly eventBuffer?: number;
  /** Maximum number of open streams of `subscriptions/listen` for each server object. Default: 1,024. */
  readonly maxListeners?: number;
  /** Serves clients of protocol version 2024-11-05 (HTTP+SSE) at the paths `sse` and `messages` next to each server path. Default: false. */
  readonly sse?: boolean;
  /** Time limit for receiving the headers of a request. Default: 10 seconds. */
  readonly headersTimeout?: number;
  /** Time limit for receiving a whole request, and for a client that stops reading a response. Default: 1 minute. */
  readonly requestTimeout?: number;
  /** Time that running calls get to finish when the service is closed. Default: 5 seconds. */
  readonly grace?: number;
  /** Metrics page that is served at `/metrics`; it requires a token if the server requires tokens. Default: no page. */
  readonly metrics?: MetricsPage;
  /** Receives errors that belong to no request. Default: these errors are dropped. */
  readonly onTransportError?: (error: Error) => void;
}

/** Options without a default. */
type Optional = 'authenticator' | 'publicUrl' | 'metrics' | 'sharedSessions';

/** The options for HTTP with their defaults, without the options of the server factory. */
export type HttpSettings = Required<Omit<HttpOptions, keyof ServerFactoryOptions | Optional>> & Pick<HttpOptions, Optional>;

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const MIB = 1024 * 1024;

const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  allowedOrigins: LOCAL_NAMES,
  maxConnections: 4096,
  maxBody: 10 * MIB,
  maxSessions: 1000,
  sessionIdle: 1_800_000,
  pingInterval: 60_000,
  eventBuffer: 64 * MIB,
  maxListeners: 1024,
  sse: false,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  grace: 5000,
  onTransportError: () => undefined,
} satisfies HttpOptions;

/**
 * Applies the defaults. An option with the value `undefined` counts as absent; otherwise Node would listen on all
 * addresses if the host is `undefined`.
 */
export function applyDefaults(options: HttpOptions): HttpSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { host = DEFAULTS.host } = options;
  return { ...DEFAULTS, allowedHosts: [...LOCAL_NAMES, toUrlHost(host)], ...given };
}

/** Returns a host as it appears in a URL. */
export function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
