import { CompactEncrypt, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';

import { AUDIENCE, type Issuer } from './issuer.ts';

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

/** Returns valid claims. */
export function claimsFor(issuer: Issuer): JWTPayload {
  return { iss: issuer.url, aud: AUDIENCE, sub: 'mallory', client_id: 'editor', scope: 'read write', exp: inAnHour() };
}

export function unsigned(issuer: Issuer): string {
  return new UnsecuredJWT(claimsFor(issuer)).encode();
}

/** Signs a token by HMAC. The secret is the published key as PEM, a form in which a server might store the key. */
export async function signedWithPublicKey(issuer: Issuer): Promise<string> {
  const key = await importJWK(issuer.jwk, 'ES256', { extractable: true });
  if (key instanceof Uint8Array) throw new Error('the key is a secret');
  return hmac(issuer, await exportSPKI(key));
}

export function signedWithJwk(issuer: Issuer): Promise<string> {
  return hmac(issuer, JSON.stringify(issuer.jwk));
}

/** Signs a token with a key of the attacker, under the key id of the issuer. */
export async function signedByAnother(issuer: Issuer): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT(claimsFor(issuer)).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(privateKey);
}

/** Signs a token with a key that the token itself contains. */
export async function signedWithKeyInHeader(issuer: Issuer, kid = 'first'): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const header = { alg: 'ES256', kid, jwk: await exportJWK(publicKey) };
  return new SignJWT(claimsFor(issuer)).setProtectedHeader(header).sign(privateKey);
}

export async function encrypted(issuer: Issuer): Promise<string> {
  const { publicKey } = await generateKeyPair('ECDH-ES');
  const plaintext = new TextEncoder().encode(JSON.stringify(claimsFor(issuer)));
  return new CompactEncrypt(plaintext).setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' }).encrypt(publicKey);
}

/** Returns a token with another header, payload or signature. */
export function withParts(
  token: string,
  { header, claims, signature }: { header?: object; claims?: object; signature?: string },
): string {
  const [head = '', payload = '', sealed = ''] = token.split('.');
  return [
    header === undefined ? head : encoded(header),
    claims === undefined ? payload : encoded(claims),
    signature ?? sealed,
  ].join('.');
}

function hmac(issuer: Issuer, secret: string): Promise<string> {
  const header = { alg: 'HS256', kid: 'first' };
  return new SignJWT(claimsFor(issuer)).setProtectedHeader(header).sign(new TextEncoder().encode(secret));
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
