import type { IncomingMessage, ServerResponse } from 'node:http';

import { allowOrigin, answerPreflight } from '../http-messages/cross-origin.ts';
import { HttpError } from '../http-messages/http-error.ts';
import type { RequestGuard } from './request-guard.ts';

/** Handler for a path. */
export interface Route {
  /** Whether every Host and Origin header is accepted, as for probes and authorization metadata. */
  readonly isOpen?: boolean;
  /** Sends a response. @throws HttpError to reject the request */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
}

export interface RouterOptions {
  /** Routes by path. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Route for all other paths. Default: they are answered with 404. */
  readonly fallback?: Route;
  readonly guard: RequestGuard;
  /** Receives errors that result in status 500. */
  readonly onError: (error: unknown) => void;
}

/** Answers requests by their path. Checks the Host and Origin headers before a route reads a body, except for open routes. */
export class Router {
  readonly #options: RouterOptions;
  readonly #refused = new Map<number, number>();

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  /** Number of rejected requests by status. */
  get refused(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refused);
  }

  /** Answers a request, if necessary with an error. Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      this.#refuse(error, response);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { routes, guard, fallback } = this.#options;
    const route = routes.get(getPath(request)) ?? fallback;
    if (route?.isOpen === true) return route.serve(request, response);
    guard.assertAllowed(request);
    allowOrigin(request, response);
    if (route === undefined) throw new HttpError(404, 'Not found');
    return request.method === 'OPTIONS' ? answerPreflight(request, response) : route.serve(request, response);
  }

  #refuse(error: unknown, response: ServerResponse): void {
    const { onError } = this.#options;
    if (!(error instanceof HttpError)) onError(error);
    const refusal = error instanceof HttpError ? error : new HttpError(500, 'Internal server error');
    this.#refused.set(refusal.status, (this.#refused.get(refusal.status) ?? 0) + 1);
    try {
      refusal.send(response);
    } catch (unanswerable) {
      onError(unanswerable);
      response.destroy();
    }
  }
}

const ANYWHERE = 'http://localhost';

/** Indexes routes by their paths. @throws TypeError for a path that is invalid or used twice */
export function indexRoutes(routes: readonly (readonly [string, Route])[]): ReadonlyMap<string, Route> {
  const paths = new Map<string, Route>();
  for (const [path, route] of routes) {
    if (!URL.canParse(path, ANYWHERE) || new URL(path, ANYWHERE).pathname !== path)
      throw new TypeError(`${JSON.stringify(path)} is not a valid URL path such as /mcp`);
    if (paths.has(path)) throw new TypeError(`the path ${path} is used twice`);
    paths.set(path, route);
  }
  return paths;
}

/** Returns the path of a request; in Express, the path before a router removed its prefix. */
function getPath(request: IncomingMessage): string {
  const url = 'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');
  const [path = '/'] = url.split('?', 1);
  return path;
}
