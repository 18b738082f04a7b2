import { serveHttp, type HttpOptions, type HttpService } from '@org/mcp-host';
import { vi, type Mock } from 'vitest';

import { Station } from './station.ts';

/** A station that is served at `/mcp`; `await using` closes it. */
export interface Served extends AsyncDisposable {
  readonly station: Station;
  readonly service: HttpService;
  /** Of the server, without a path. */
  readonly origin: string;
  /** Of the station. */
  readonly url: string;
  /** Host and port, as they stand in the Host header. */
  readonly host: string;
  /** What went wrong outside any request. */
  readonly errors: Mock<(error: Error) => void>;
}

export async function serve(options: HttpOptions = {}): Promise<Served> {
  const station = new Station();
  const errors = vi.fn<(error: Error) => void>();
  const service = await serveHttp({ '/mcp': station }, { grace: 50, onTransportError: errors, ...options });
  const origin = service.url;
  return {
    station,
    service,
    errors,
    origin,
    url: `${origin}/mcp`,
    host: new URL(origin).host,
    [Symbol.asyncDispose]: () => service.close(),
  };
}

/** Tells principals apart by tokens that are their names. */
export async function byName(authorization: string | undefined): Promise<{ token: string; clientId: string; scopes: string[] }> {
  const name = authorization?.replace(/^Bearer /, '') ?? 'nobody';
  return Promise.resolve({ token: name, clientId: name, scopes: [] });
}

export function bearer(name: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${name}` };
}
