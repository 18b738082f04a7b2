import type { ServerFactoryOptions } from '@org/mcp-decorators';

import type { Authenticator } from '../auth/authenticator.ts';
import type { MetricsPage } from '../info/metrics.ts';

/** How server objects are served over HTTP; times in milliseconds, sizes in bytes. */
export interface HttpOptions extends ServerFactoryOptions {
  /** Default: `127.0.0.1`, which is reached from this machine alone. */
  readonly host?: string;
  /** Default: 0, any that is free. */
  readonly port?: number;
  /** Names by which the server may be asked for, without ports; `*` for any. Default: those of this machine for itself, and `host`. */
  readonly allowedHosts?: readonly string[];
  /** Host names of web pages that may ask. Default: those of this machine for itself. */
  readonly allowedOrigins?: readonly string[];
  /** Tells by their tokens who asks. Default: everybody may ask for everything. */
  readonly authenticator?: Authenticator;
  /** Under which clients know the service, where a proxy stands before it: `https://example.org`. Default: the name they ask by. */
  readonly publicUrl?: string;
  /** Maximum number of open connections; a further connection takes the place of an idle one, or is closed. Default: 4,096. */
  readonly maxConnections?: number;
  /** Of a request's body. Default: 10 MiB. */
  readonly maxBody?: number;
  /** Open at a time, of each server object. Default: 1,000. */
  readonly maxSessions?: number;
  /**
   * After so long a session that is not used is closed, and whatever is under way in it aborted. Whoever is connected and waits for a
   * result uses it; a call whose client is gone does not. Default: 30 minutes.
   */
  readonly sessionIdle?: number;
  /**
   * After so long, or half of {@link HttpOptions.sessionIdle}, a silent session that can be reached is asked whether it is still there, and stays
   * if it answers; 0 for never. Default: 1 minute.
   */
  readonly pingInterval?: number;
  /** What all sessions together keep for clients that lose a connection, in characters. Default: 67,108,864. */
  readonly eventBuffer?: number;
  /** Streams of `subscriptions/listen` that may be open at a time, of each server object. Default: 1,024. */
  readonly maxListeners?: number;
  /** Serves clients of 2024-11-05 at `sse` and `messages` beside each path. Default: false. */
  readonly sse?: boolean;
  /** For a client to send the headers of a request. Default: 10 seconds. */
  readonly headersTimeout?: number;
  /** For a client to send all of a request, and to take any more of an answer. Default: 1 minute. */
  readonly requestTimeout?: number;
  /** For the calls under way once the service is closed. Default: 5 seconds. */
  readonly grace?: number;
  /** What is told at `/metrics`, to whoever may ask for anything. Default: nothing. */
  readonly metrics?: MetricsPage;
  /** Told of what goes wrong outside any request. Default: it is dropped. */
  readonly onTransportError?: (error: Error) => void;
}

/** What is not there unless it is given. */
type Optional = 'authenticator' | 'publicUrl' | 'metrics';

/** The options with their defaults, apart from those of the protocol. */
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

/** An option that is `undefined` counts as not given: a host that is undefined would stand for all of this machine's addresses. */
export function settingsOf(options: HttpOptions): HttpSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { host = DEFAULTS.host } = options;
  return { ...DEFAULTS, allowedHosts: [...LOCAL_NAMES, bracketed(host)], ...given };
}

/** A host as it stands in a URL. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
