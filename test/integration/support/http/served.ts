import type { AuthInfo } from '@modelcontextprotocol/server';
import { Authenticator, serveHttp, type HttpOptions, type HttpService, type TokenSource } from '@org/mcp-host';
import { vi, type Mock } from 'vitest';

import { Station } from './station.ts';

/** A station that is served at `/mcp`; `await using` closes it. */
export interface Served extends AsyncDisposable {
  readonly station: Station;
  readonly service: HttpService;
  /** URL of the server, without a path. */
  readonly origin: string;
  /** URL of the station. */
  readonly url: string;
  /** Host and port, as in the Host header. */
  readonly host: string;
  /** Records failures outside any request. */
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

/** Resolves to the sender of a request. The token is the name of the sender; without a token, the sender has a fixed name. */
export function byName(authorization: string | undefined): Promise<AuthInfo> {
  const name = authorization?.replace(/^Bearer /, '') ?? 'nobody';
  return Promise.resolve({ token: name, clientId: name, scopes: ['read', 'write'] });
}

const NO_TOKENS: TokenSource = {
  issuer: undefined,
  verifyAccessToken: () => Promise.reject(new Error('not asked')),
  diagnose: () => Promise.resolve({ subject: 'tokens', ok: true, detail: 'are names' }),
};

/** Authenticates clients with a function. The default function takes the token as the name of the client. */
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
