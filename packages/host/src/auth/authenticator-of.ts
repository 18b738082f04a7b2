import { isScope } from '@org/mcp-decorators';

import type { Log } from '../log.ts';
import type { ServerOptions } from '../server-options.ts';
import { UsageError } from '../usage-error.ts';
import { Authenticator } from './authenticator.ts';
import { JwtSource } from './jwt-source.ts';
import { isSecureUrl } from './secure-url.ts';
import { TokenFile } from './token-file.ts';

/** Which tokens are taken; none of them: requests need none. */
export type AuthOptions = Pick<ServerOptions, 'tokenFile' | 'authIssuer' | 'authAudience' | 'authScopes'>;

/**
 * What checks the tokens that the options name; `undefined` where they name none. The authorization server is not asked before the
 * first token comes.
 *
 * @throws UsageError if the options cannot be used, or the token file cannot
 */
export async function authenticatorOf(
  options: AuthOptions,
  log: Pick<Log, 'info' | 'warning'>,
): Promise<Authenticator | undefined> {
  const problem = problemOf(options);
  if (problem !== undefined) throw new UsageError(problem);
  const { tokenFile, authIssuer: issuer, authAudience: audience, authScopes = [] } = options;
  if (tokenFile !== undefined) return new Authenticator(await TokenFile.open(tokenFile, log), authScopes);
  if (issuer === undefined || audience === undefined) return undefined;
  return new Authenticator(await JwtSource.open({ issuer, audience, log }), authScopes);
}

function problemOf(options: AuthOptions): string | undefined {
  const { authIssuer, authScopes = [] } = options;
  const wrong = authScopes.find((scope) => !isScope(scope));
  if (wrong !== undefined) return `--auth-scopes: ${JSON.stringify(wrong)} is not an OAuth scope`;
  return conflict(options) ?? (authIssuer === undefined ? undefined : issuerProblem(authIssuer));
}

function conflict({ tokenFile, authIssuer, authAudience, authScopes = [] }: AuthOptions): string | undefined {
  if (authIssuer === undefined) {
    if (authAudience !== undefined) return '--auth-audience needs --auth-issuer';
    return tokenFile === undefined && authScopes.length > 0 ? '--auth-scopes needs --token-file or --auth-issuer' : undefined;
  }
  if (tokenFile !== undefined) return '--token-file and --auth-issuer cannot be given together: tokens come from one place';
  if (authAudience !== undefined && authAudience !== '') return undefined;
  return '--auth-issuer needs --auth-audience: what the issuer made for other servers must not open this one';
}

function issuerProblem(issuer: string): string | undefined {
  if (!URL.canParse(issuer)) return `--auth-issuer: ${JSON.stringify(issuer)} is not a URL`;
  const url = new URL(issuer);
  if (url.username !== '' || url.password !== '') return '--auth-issuer must not hold a user or a password';
  if (/[?#]/.test(issuer)) return `--auth-issuer: ${issuer} must have neither a query nor a fragment`;
  return isSecureUrl(url) ? undefined : `--auth-issuer: ${issuer} must be https:, or http: on this machine`;
}
