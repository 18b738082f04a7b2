import { isScope, type OfferedTools } from '@org/mcp-decorators';

import type { Log } from '../process/log.ts';
import type { ServerOptions } from '../options/server-options.ts';
import { UsageError } from '../process/usage-error.ts';
import { Authenticator } from './authenticator.ts';
import { JwtSource } from './jwt-source.ts';
import { isSecureUrl } from './secure-url.ts';
import { TokenFile } from './token-file.ts';

/** Options that select the accepted tokens. Without these options, requests need no token. */
export type AuthOptions = Pick<ServerOptions, 'tokenFile' | 'authIssuer' | 'authAudience' | 'authScopes'>;

/**
 * Creates the authenticator that the options select. Resolves to `undefined` if requests need no token. Sends no request to the
 * authorization server before the first token arrives.
 *
 * @throws UsageError if the options or the token file cannot be used
 */
export async function openAuthenticator(
  options: AuthOptions,
  { log, tools }: { readonly log: Pick<Log, 'info' | 'warning'>; readonly tools: Pick<OfferedTools, 'listAll'> },
): Promise<Authenticator | undefined> {
  const problem = findProblem(options);
  if (problem !== undefined) throw new UsageError(problem);
  const { tokenFile, authIssuer: issuer, authAudience: audience, authScopes = [] } = options;
  if (tokenFile !== undefined) {
    const knownScopes = listKnownScopes(tools, authScopes);
    return new Authenticator(await TokenFile.open(tokenFile, { log, knownScopes }), authScopes);
  }
  if (issuer === undefined || audience === undefined) return undefined;
  return new Authenticator(await JwtSource.open({ issuer, audience, log }), authScopes);
}

/**
 * Lists the scopes that a request may need. The list includes the scopes of tools that are not offered, because several
 * servers may share one token file.
 */
function listKnownScopes(tools: Pick<OfferedTools, 'listAll'>, authScopes: readonly string[]): readonly string[] {
  return [...new Set(['read', 'write', ...authScopes, ...tools.listAll().flatMap(({ scopes }) => scopes)])];
}

function findProblem(options: AuthOptions): string | undefined {
  const { authIssuer, authScopes = [] } = options;
  const wrong = authScopes.find((scope) => !isScope(scope));
  if (wrong !== undefined) return `--auth-scopes: ${JSON.stringify(wrong)} is not a valid OAuth scope`;
  return findConflict(options) ?? (authIssuer === undefined ? undefined : findIssuerProblem(authIssuer));
}

function findConflict({ tokenFile, authIssuer, authAudience, authScopes = [] }: AuthOptions): string | undefined {
  if (authIssuer === undefined) {
    if (authAudience !== undefined) return '--auth-audience requires --auth-issuer';
    return tokenFile === undefined && authScopes.length > 0 ? '--auth-scopes requires --token-file or --auth-issuer' : undefined;
  }
  if (tokenFile !== undefined) return '--token-file and --auth-issuer cannot be combined';
  if (authAudience !== undefined && authAudience !== '') return undefined;
  return '--auth-issuer requires --auth-audience: tokens for other servers must not be accepted';
}

function findIssuerProblem(issuer: string): string | undefined {
  if (!URL.canParse(issuer)) return `--auth-issuer: ${JSON.stringify(issuer)} is not a valid URL`;
  const url = new URL(issuer);
  if (url.username !== '' || url.password !== '') return '--auth-issuer must not contain a user or a password';
  if (/[?#]/.test(issuer)) return `--auth-issuer: ${issuer} must have neither a query nor a fragment`;
  return isSecureUrl(url) ? undefined : `--auth-issuer: ${issuer} must be an https: URL, or an http: URL on this machine`;
}
