import type { RemoteJWKSet } from 'jose';

import { fetchJson } from './fetch-json.ts';
import { isLocalUrl, isSecureUrl } from './secure-url.ts';

/** For the metadata and the keys together. */
const TIMEOUT_MS = 5000;
/** A token that names an unknown key makes the issuer be asked again, but not more often than this. */
const COOLDOWN_MS = 30_000;
/** A key that the issuer takes back is trusted no longer than this. */
const MAX_AGE_MS = 600_000;
/** After a failure the issuer is left alone for so long: nobody can make this process ask it again and again. */
const PAUSE_MS = 5000;

/** The issuer gives no keys; the message says why, for the operator. For five seconds it is the same error. */
export class IssuerError extends Error {
  override readonly name: string = 'IssuerError';
}

/**
 * The keys that an issuer signs its tokens with, found by its metadata (RFC 8414, OpenID Connect Discovery 1.0) when they are asked
 * for first, and again after ten minutes. An attempt takes at most five seconds unless told otherwise.
 */
export async function issuerKeys(issuer: string, timeoutMs: number = TIMEOUT_MS): Promise<RemoteJWKSet> {
  const jose = await import('jose');
  let failed: { readonly error: IssuerError; readonly until: number } | undefined;
  return jose.createRemoteJWKSet(new URL(issuer), {
    timeoutDuration: timeoutMs,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
    // The metadata is read again with the keys, because the issuer may have moved them.
    async [jose.customFetch](_issuer, { signal }) {
      if (failed !== undefined && performance.now() < failed.until) throw failed.error;
      try {
        return Response.json(await fetchKeys(issuer, signal));
      } catch (error) {
        failed = { error: new IssuerError(messageOf(error), { cause: error }), until: performance.now() + PAUSE_MS };
        throw failed.error;
      }
    },
  });
}

async function fetchKeys(issuer: string, signal: AbortSignal): Promise<object> {
  const url = await keysUrl(issuer, signal);
  const keys = await fetchJson(url, signal).catch((error: unknown) => {
    throw new Error(`${url.href} ${messageOf(error)}`, { cause: error });
  });
  if (isObject(keys) && Array.isArray(keys['keys']) && keys['keys'].every(isObject)) return keys;
  throw new Error(`${url.href} answers with something else than a JSON Web Key Set`);
}

async function keysUrl(issuer: string, signal: AbortSignal): Promise<URL> {
  const problems: string[] = [];
  for (const url of metadataUrls(new URL(issuer))) {
    const found = await fetchJson(url, signal).then((metadata) => keysUrlIn(metadata, issuer), messageOf);
    if (found instanceof URL) return found;
    problems.push(`${url.href} ${found}`);
  }
  throw new Error(problems.join('; '));
}

/** In the order that MCP gives for clients, and where some issuers have it besides. */
function metadataUrls(issuer: URL): readonly URL[] {
  const path = issuer.pathname.replace(/\/$/, '');
  const [oauth, openId] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  const paths = [`${oauth}${path}`, `${openId}${path}`, `${path}${openId}`, `${path}${oauth}`];
  return [...new Set(paths)].map((pathname) => new URL(pathname, issuer.origin));
}

/** RFC 8414 §3.3: a document that names another issuer must not be used, whatever else it says. */
function keysUrlIn(metadata: unknown, issuer: string): URL | string {
  if (!isObject(metadata) || metadata['issuer'] !== issuer) return 'names another issuer';
  const { jwks_uri: uri } = metadata;
  if (typeof uri !== 'string' || !URL.canParse(uri)) return 'names no keys';
  const url = new URL(uri);
  const trusted = isSecureUrl(url) && (!isLocalUrl(url) || isLocalUrl(new URL(issuer)));
  return trusted ? url : 'names keys that are not at an https: URL, or on this machine without the issuer';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
