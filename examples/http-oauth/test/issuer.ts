import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An authorization server that serves its metadata and its keys, and a function that signs tokens. */
export interface Issuer extends AsyncDisposable {
  readonly url: string;
  readonly sign: (subject: string, scope: string, audience?: string) => Promise<string>;
}

/** Starts an authorization server at a free port. A real authorization server also lets users log in. */
export async function startIssuer(expectedAudience: string): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'example', alg: 'ES256', use: 'sig' };
  let url = '';
  const server = createServer((request, response) => {
    const metadata = { issuer: url, jwks_uri: `${url}/keys`, response_types_supported: ['code'] };
    const body = request.url === '/keys' ? { keys: [key] } : metadata;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    sign: (subject, scope, audience = expectedAudience) =>
      new SignJWT({ scope })
        .setProtectedHeader({ alg: 'ES256', kid: 'example' })
        .setIssuer(url)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
