import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  collectScopes,
  compileServer,
  OfferedTools,
  type ScopedServer,
  type ServerFactoryOptions,
  type Shares,
} from '@org/mcp-decorators';

import { Protection } from '../auth/protection.ts';
import type { BodyReader } from '../http-messages/body-reader.ts';
import { answerPreflight } from '../http-messages/cross-origin.ts';
import { methodNotAllowed, HttpError } from '../http-messages/http-error.ts';
import { createResourceUrls, type GetResourceUrl } from '../http-messages/resource-url.ts';
import { ServerInformation } from '../info/server-information.ts';
import type { EventBudget } from '../sessions/event-log.ts';
import { SharedSessions } from '../shared-state/shared-sessions.ts';
import type { Connections } from './connections.ts';
import { Endpoint } from './endpoint.ts';
import type { HttpOptions, HttpSettings } from './http-options.ts';
import type { Route } from './router.ts';

export interface MountOptions {
  readonly path: string;
  readonly server: object;
  readonly options: HttpOptions;
  readonly settings: HttpSettings;
  readonly events: EventBudget;
  readonly bodies: BodyReader;
  /** Requests in progress at all mounts. */
  readonly requests: Shares;
  readonly connections: Connections;
  /** Whether this is the only mount. */
  readonly isOnly: boolean;
  readonly onError: (error: unknown) => void;
}

/** A server object at its path, and the related paths for SSE and authorization metadata. */
export class Mount {
  readonly endpoint: Endpoint;
  /** The feature with `server://info`. */
  readonly information: ServerInformation;
  readonly #options: MountOptions;
  readonly #served: ScopedServer;
  readonly #getResourceUrl: GetResourceUrl;
  readonly #sharedSessions: SharedSessions | undefined;

  constructor(options: MountOptions) {
    const { path, server, settings, events, onError } = options;
    const { authenticator } = settings;
    this.#options = options;
    this.information = findInformation(options);
    this.#getResourceUrl = createResourceUrls(path, settings.publicUrl);
    const factory = this.#factoryOptions();
    const { features } = factory;
    const compiled = compileServer(server, features);
    this.#served = { compiled, tools: new OfferedTools({ server, compiled, features }, factory) };
    this.#sharedSessions = this.#shareSessions(compiled.info.name);
    this.endpoint = new Endpoint(server, {
      factory,
      bodies: options.bodies,
      maxListeners: settings.maxListeners,
      requests: options.requests,
      connections: options.connections,
      sessions: { maxSessions: settings.maxSessions, idleMs: settings.sessionIdle, pingMs: settings.pingInterval },
      events,
      sharedSessions: this.#sharedSessions,
      ssePath: settings.sse ? toSibling(path, 'messages') : undefined,
      served: this.#served,
      protection: authenticator && new Protection(authenticator, this.#getResourceUrl),
      onTransportError: onError,
    });
  }

  /** Returns the routes of this server object, each with its path. */
  routes(): readonly (readonly [string, Route])[] {
    const { path, isOnly, settings } = this.#options;
    const { endpoint } = this;
    const sse: readonly (readonly [string, Route])[] = [
      [toSibling(path, 'sse'), { serve: (request, response) => endpoint.openSse(request, response) }],
      [toSibling(path, 'messages'), { serve: (request, response) => endpoint.postSse(request, response) }],
    ];
    const metadata: Route = { isOpen: true, serve: (request, response) => this.#sendMetadata(request, response) };
    return [
      [path, { serve: (request, response) => endpoint.serve(request, response) }],
      ...(settings.sse ? sse : []),
      ...listMetadataPaths(path, isOnly).map((each) => [each, metadata] as const),
    ];
  }

  /** Sets the base URL at which other processes reach this one, unless the options give another one. */
  setPeerUrl(url: string): void {
    this.#sharedSessions?.connect({ url });
  }

  #shareSessions(name: string): SharedSessions | undefined {
    const { path, settings, onError } = this.#options;
    const { sharedSessions, sessionIdle: idleMs } = settings;
    return sharedSessions && new SharedSessions({ ...sharedSessions, scope: [name, path], idleMs, onError });
  }

  #factoryOptions(): ServerFactoryOptions {
    const { options, path } = this.#options;
    const { features = [], observer = this.information.statistics.observe } = options;
    const others = features.filter((feature) => feature !== this.information);
    return { ...options, mount: path, observer, features: [...others, this.information] };
  }

  /** Serves the protected resource metadata, to pages of every origin. */
  #sendMetadata(request: IncomingMessage, response: ServerResponse): void {
    const { authenticator } = this.#options.settings;
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'OPTIONS') {
      answerPreflight(request, response);
      return;
    }
    if (request.method !== 'GET') throw methodNotAllowed('GET');
    const metadata = authenticator?.metadata(this.#getResourceUrl(request), collectScopes(this.#served));
    if (metadata === undefined) throw new HttpError(404, 'No authorization server issues tokens for this path');
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(metadata));
  }
}

/** Returns the given information feature, which a server process has created before, or a new one. */
function findInformation({ server, options, onError }: MountOptions): ServerInformation {
  const given = options.features?.find((feature) => feature instanceof ServerInformation);
  return given ?? new ServerInformation({ server, settings: {}, onError: options.onError ?? onError });
}

/** Replaces the last segment of a path: `/git/mcp` and `sse` give `/git/sse`. */
function toSibling(path: string, name: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + name;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Returns the paths of the protected resource metadata (RFC 9728): `/.well-known/oauth-protected-resource` followed by the path of
 * the endpoint. The only endpoint of a service also has the path without this suffix.
 */
export function listMetadataPaths(path: string, isOnly: boolean): readonly string[] {
  return [`${WELL_KNOWN}${path}`, ...(isOnly ? [WELL_KNOWN] : [])];
}
