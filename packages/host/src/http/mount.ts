import type { IncomingMessage, ServerResponse } from 'node:http';

import { compileServer } from '@org/mcp-decorators';

import { metadataPaths } from '../auth/protected-resource.ts';
import { scopesOf, type Scoped } from '../auth/scopes.ts';
import type { EventBudget } from '../sessions/event-budget.ts';
import { Endpoint } from './endpoint.ts';
import type { HttpOptions, HttpSettings } from './http-options.ts';
import type { Route } from './http-server.ts';
import { Protection } from './protection.ts';
import { Refusal } from './refusal.ts';
import { resourceAt, type ResourceOf } from './resource-of.ts';

export interface MountOptions {
  readonly path: string;
  readonly server: object;
  readonly options: HttpOptions;
  readonly settings: HttpSettings;
  readonly events: EventBudget;
  /** Whether nothing else is mounted. */
  readonly isOnly: boolean;
  readonly onError: (error: unknown) => void;
}

/** A server object at its path, with what belongs to it at other paths. */
export class Mount {
  readonly endpoint: Endpoint;
  readonly #options: MountOptions;
  readonly #served: Scoped;
  readonly #resourceOf: ResourceOf;

  constructor(options: MountOptions) {
    const { path, server, settings, events, onError } = options;
    const { authenticator } = settings;
    this.#options = options;
    this.#resourceOf = resourceAt(path, settings.publicUrl);
    const { offers = () => true, features } = options.options;
    this.#served = { compiled: compileServer(server, features), offers };
    this.endpoint = new Endpoint(server, {
      factory: options.options,
      maxBody: settings.maxBody,
      maxListeners: settings.maxListeners,
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

  /** Tells clients where to get tokens for the endpoint. */
  #describe(request: IncomingMessage, response: ServerResponse): void {
    const { authenticator } = this.#options.settings;
    const metadata = authenticator?.metadata(this.#resourceOf(request), scopesOf(this.#served));
    if (metadata === undefined) throw new Refusal(404, 'No authorization server issues tokens for this');
    response.writeHead(200, { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' });
    response.end(JSON.stringify(metadata));
  }
}

/** `/git/mcp` and `sse` make `/git/sse`. */
function beside(path: string, name: string): string {
  return path.replace(/[^/]*$/, name);
}
