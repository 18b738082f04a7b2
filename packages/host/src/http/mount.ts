import type { IncomingMessage, ServerResponse } from 'node:http';

import { compileServer, type ServerFactoryOptions, type Shares } from '@org/mcp-decorators';

import { metadataPaths } from '../auth/protected-resource.ts';
import { scopesOf, type Scoped } from '../auth/scopes.ts';
import { ServerInformation } from '../info/server-information.ts';
import type { EventBudget } from '../sessions/event-budget.ts';
import type { BodyReader } from './body-reader.ts';
import type { Connections } from './connections.ts';
import { answerPreflight } from './cross-origin.ts';
import { Endpoint } from './endpoint.ts';
import type { HttpOptions, HttpSettings } from './http-options.ts';
import type { Route } from './http-server.ts';
import { Protection } from './protection.ts';
import { methodNotAllowed, Refusal } from './refusal.ts';
import { resourceAt, type ResourceOf } from './resource-of.ts';

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
  /** Whether nothing else is mounted. */
  readonly isOnly: boolean;
  readonly onError: (error: unknown) => void;
}

/** A server object at its path, with what belongs to it at other paths. */
export class Mount {
  readonly endpoint: Endpoint;
  /** What the server tells of itself. */
  readonly information: ServerInformation;
  readonly #options: MountOptions;
  readonly #served: Scoped;
  readonly #resourceOf: ResourceOf;

  constructor(options: MountOptions) {
    const { path, server, settings, events, onError } = options;
    const { authenticator } = settings;
    this.#options = options;
    this.information = informationOf(options);
    this.#resourceOf = resourceAt(path, settings.publicUrl);
    const factory = this.#factoryOptions();
    const { offers = () => true, features } = factory;
    this.#served = { server, compiled: compileServer(server, features), offers };
    this.endpoint = new Endpoint(server, {
      factory,
      bodies: options.bodies,
      maxListeners: settings.maxListeners,
      requests: options.requests,
      connections: options.connections,
      sessions: { maxSessions: settings.maxSessions, idleMs: settings.sessionIdle, pingMs: settings.pingInterval },
      events,
      ssePath: settings.sse ? beside(path, 'messages') : undefined,
      served: this.#served,
      protection: authenticator && new Protection(authenticator, this.#resourceOf),
      onTransportError: onError,
    });
  }

  /** By path. */
  routes(): readonly (readonly [string, Route])[] {
    const { path, isOnly, settings } = this.#options;
    const { endpoint } = this;
    const sse: readonly (readonly [string, Route])[] = [
      [beside(path, 'sse'), { serve: (request, response) => endpoint.openSse(request, response) }],
      [beside(path, 'messages'), { serve: (request, response) => endpoint.postSse(request, response) }],
    ];
    const metadata: Route = { isOpen: true, serve: (request, response) => this.#describe(request, response) };
    return [
      [path, { serve: (request, response) => endpoint.serve(request, response) }],
      ...(settings.sse ? sse : []),
      ...metadataPaths(path, isOnly).map((each) => [each, metadata] as const),
    ];
  }

  #factoryOptions(): ServerFactoryOptions {
    const { options, path } = this.#options;
    const { features = [], observer = this.information.statistics.observe } = options;
    const others = features.filter((feature) => feature !== this.information);
    return { ...options, mount: path, observer, features: [...others, this.information] };
  }

  /** Tells clients where to get tokens for the endpoint, pages of all origins too. */
  #describe(request: IncomingMessage, response: ServerResponse): void {
    const { authenticator } = this.#options.settings;
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method === 'OPTIONS') {
      answerPreflight(request, response);
      return;
    }
    if (request.method !== 'GET') throw methodNotAllowed('GET');
    const metadata = authenticator?.metadata(this.#resourceOf(request), scopesOf(this.#served));
    if (metadata === undefined) throw new Refusal(404, 'No authorization server issues tokens for this');
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(metadata));
  }
}

/** Whoever serves one object as a process has it already. */
function informationOf({ server, options, onError }: MountOptions): ServerInformation {
  const given = options.features?.find((feature) => feature instanceof ServerInformation);
  return given ?? new ServerInformation({ server, settings: {}, onError: options.onError ?? onError });
}

/** `/git/mcp` and `sse` make `/git/sse`. */
function beside(path: string, name: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) + name;
}
