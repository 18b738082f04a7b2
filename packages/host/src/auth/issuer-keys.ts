import type { RemoteJWKSet } from 'jose';

import { getErrorCode } from '../process/error-code.ts';
import { isLocalUrl, isSecureUrl } from './secure-url.ts';

/** Time limit in milliseconds for fetching the metadata and the keys together. */
const TIMEOUT_MS = 5000;
/** Minimum interval in milliseconds between two fetches of the keys because of tokens with unknown keys. */
const COOLDOWN_MS = 30_000;
/** Maximum time in milliseconds during which a withdrawn key is still trusted. */
const MAX_AGE_MS = 600_000;
/** Pause in milliseconds after a failed fetch, so that clients cannot cause many requests to the issuer. */
const PAUSE_MS = 5000;

/**
 * Reports that the keys of the issuer cannot be fetched. The message is for the operator. The same error object is
 * thrown again for five seconds.
 */
export class IssuerError extends Error {
  override readonly name: string = 'IssuerError';
}

/**
 * Resolves to a function that returns the key of a token. It fetches the signing keys of the issuer on first use, by the issuer's
 * metadata (RFC 8414, OpenID Connect Discovery 1.0). It fetches them again if they are older than ten minutes or, at most every
 * 30 seconds, if they lack the key.
 *
 * @param timeoutMs time limit of a fetch; default: 5,000
 */
export async function issuerKeys(issuer: string, timeoutMs: number = TIMEOUT_MS): Promise<RemoteJWKSet> {
  const jose = await import('jose');
  let failed: { readonly error: IssuerError; readonly until: number } | undefined;
  return jose.createRemoteJWKSet(new URL(issuer), {
    timeoutDuration: timeoutMs,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
    // The metadata is fetched again with the keys, because the URL of the keys may have changed.
    async [jose.customFetch](_issuer, { signal }) {
      if (failed !== undefined && performance.now() < failed.until) throw failed.error;
      try {
        return Response.json(await fetchKeys(issuer, signal));
      } catch (error) {
        failed = { error: new IssuerError(getMessage(error), { cause: error }), until: performance.now() + PAUSE_MS };
        throw failed.error;
      }
    },
  });
}

async function fetchKeys(issuer: string, signal: AbortSignal): Promise<object> {
  const url = await findKeysUrl(issuer, signal);
  const keys = await fetchJson(url, signal).catch((error: unknown) => {
    throw new Error(`${url.href} ${getMessage(error)}`, { cause: error });
  });
  if (isObject(keys) && Array.isArray(keys['keys']) && keys['keys'].every(isObject)) return keys;
  throw new Error(`${url.href} does not send a JSON Web Key Set`);
}

async function findKeysUrl(issuer: string, signal: AbortSignal): Promise<URL> {
  const problems: string[] = [];
  for (const url of listMetadataUrls(new URL(issuer))) {
    const found = await fetchJson(url, signal).then((metadata) => readKeysUrl(metadata, issuer), getMessage);
    if (found instanceof URL) return found;
    problems.push(`${url.href} ${found}`);
  }
  throw new Error(problems.join('; '));
}

/**
 * Returns the candidate URLs of the metadata: first in the order that MCP prescribes for clients, then a variant that
 * some issuers use.
 */
function listMetadataUrls(issuer: URL): readonly URL[] {
  const path = issuer.pathname.replace(/\/$/, '');
  const [oauth, openId] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  const paths = [`${oauth}${path}`, `${openId}${path}`, `${path}${openId}`, `${path}${oauth}`];
  return [...new Set(paths)].map((pathname) => new URL(pathname, issuer.origin));
}

/**
 * Returns the URL of the keys, or the problem that prevents its use. RFC 8414 §3.3: a document that names another issuer
 * must not be used.
 */
function readKeysUrl(metadata: unknown, issuer: string): URL | string {
  if (!isObject(metadata) || metadata['issuer'] !== issuer) return 'names a different issuer';
  const { jwks_uri: uri } = metadata;
  if (typeof uri !== 'string' || !URL.canParse(uri)) return 'contains no URL of its keys';
  const url = new URL(uri);
  const trusted = isSecureUrl(url) && (!isLocalUrl(url) || isLocalUrl(new URL(issuer)));
  return trusted ? url : 'contains a URL of its keys that is neither an https: URL nor on the same machine as the issuer';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Maximum size of a response in bytes. Metadata documents and key sets have only a few KiB. */
const MAX_BYTES = 1_048_576;

/**
 * Fetches JSON of at most 1 MiB, without following redirects.
 *
 * @throws Error whose message describes the problem without any content of the response
 */
async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } }).catch(
    throwUnreachable,
  );
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(response.headers.has('location') ? 'responds with a redirect' : `responds with status ${response.status}`);
  }
  const text = await readText(response).catch(throwUnreachable);
  if (text === undefined) throw new Error(`sends more than ${MAX_BYTES} bytes`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('does not send valid JSON');
  }
}

async function readText({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function throwUnreachable(error: unknown): never {
  const { name, cause } = Object(error);
  if (name === 'TimeoutError') throw new Error('does not respond in time', { cause: error });
  const code = getErrorCode(cause);
  throw new Error(code === undefined ? 'cannot be reached' : `cannot be reached (${code})`, { cause: error });
}
