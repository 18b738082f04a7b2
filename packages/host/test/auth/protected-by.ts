import { Authenticator } from '../../src/auth/authenticator.ts';
import { JwtSource } from '../../src/auth/jwt-source.ts';
import { AUDIENCE, type Issuer } from './issuer.ts';
import { ProtectedServer } from './protected-server.ts';
import { recordedLog } from './recorder.ts';

/** Starts a server that accepts the tokens of an issuer. */
export async function protectedBy(
  issuer: Pick<Issuer, 'url'>,
  { scopes = [], timeoutMs = 5000 }: { readonly scopes?: readonly string[]; readonly timeoutMs?: number } = {},
): Promise<ProtectedServer> {
  const { log, lines } = recordedLog();
  const source = await JwtSource.open({ issuer: issuer.url, audience: AUDIENCE, log, timeoutMs });
  return ProtectedServer.start(new Authenticator(source, scopes), lines);
}
