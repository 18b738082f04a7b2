import type { AuthInfo } from '@modelcontextprotocol/server';
import { Authenticator, serveHttp, type HttpOptions, type HttpService, type TokenSource } from '@org/mcp-host';
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

/** Who sends a request: its token is a name, and who has none is nobody in particular. */
export function byName(authorization: string | undefined): Promise<AuthInfo> {
  const name = authorization?.replace(/^Bearer /, '') ?? 'nobody';
  return Promise.resolve({ token: name, clientId: name, scopes: ['read', 'write'] });
}

const NO_TOKENS: TokenSource = {
  issuer: undefined,
  verifyAccessToken: () => Promise.reject(new Error('not asked')),
  diagnose: () => Promise.resolve({ subject: 'tokens', ok: true, detail: 'are names' }),
};

/** Tells everybody by their names, once it may. */
export class ByName extends Authenticator {
  readonly #look: typeof byName;

  constructor(look: typeof byName = byName) {
    super(NO_TOKENS, []);
    this.#look = look;
  }

  override authenticate(authorization: string | undefined): Promise<AuthInfo> {
    return this.#look(authorization);
  }
}

export function bearer(name: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${name}` };
}
