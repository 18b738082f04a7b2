import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';

/** Returns the principal that the seals of a request are bound to. All requests without a token share one principal. */
export function ownerOf({ http }: Pick<ServerContext, 'http'>): string {
  return JSON.stringify(principalOf(http?.authInfo));
}

/** Who sent a request, as far as its token says. */
export function principalOf(auth: AuthInfo | undefined): readonly [client?: string, subject?: string] {
  if (auth === undefined) return [];
  const subject: unknown = auth.extra?.['sub'];
  return typeof subject === 'string' ? [auth.clientId, subject] : [auth.clientId];
}
