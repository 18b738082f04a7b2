import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters, type JWTPayload } from 'jose';

export const AUDIENCE = 'https://mcp.example.org/mcp';

type Answer = (response: ServerResponse) => void;

/** An authorization server that publishes its metadata and keys, and signs the given claims. */
export class Issuer {
  /** Responses by path, which tests may replace. */
  readonly answers: Map<string, Answer> = new Map();
  /** The requested paths. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #path: string;
  #key: CryptoKey | undefined;
  #jwk: JWK = {};

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.#path = path;
    server.on('request', ({ url = '' }, response) => {
      this.asked.push(url);
      (this.answers.get(url) ?? answering(404))(response);
    });
  }

  static async start(path = ''): Promise<Issuer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new Issuer(server, path);
    await issuer.rotate('first');
    issuer.answers.set('/.well-known/oauth-authorization-server', json(issuer.metadata()));
    return issuer;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get url(): string {
    return `${this.origin}${this.#path}`;
  }

  /** The public key. */
  get jwk(): JWK {
    return this.#jwk;
  }

  metadata(): object {
    return { issuer: this.url, jwks_uri: `${this.origin}/keys` };
  }

  /** Replaces the key by a new one, which signs all later tokens. Only the new key is published. */
  async rotate(kid: string, alg = 'ES256'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    this.#key = privateKey;
    this.#jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
    this.answers.set('/keys', json({ keys: [this.#jwk] }));
  }

  /**
   * Returns a token that is valid, except where these claims and headers replace the valid ones. A claim or header that is
   * `undefined` is omitted.
   */
  async token(claims: Readonly<Record<string, unknown>> = {}, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: this.url, aud: AUDIENCE, sub: 'ada', client_id: 'editor', scope: 'read', iat: now, exp: now + 300 };
    const { alg = '', kid } = this.#jwk;
    if (this.#key === undefined) throw new Error('the issuer has no key');
    const payload: JWTPayload = JSON.parse(JSON.stringify({ ...good, ...claims }));
    const protectedHeader: JWTHeaderParameters = JSON.parse(JSON.stringify({ alg, kid, typ: 'at+jwt', ...header }));
    return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(this.#key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function json(value: unknown): Answer {
  return (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

export function answering(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => response.writeHead(status, headers).end();
}
