import type { Shares } from '@org/mcp-decorators';

import { HttpError } from './http-error.ts';

/** A unit that a principal requests. */
interface UnitRequest {
  /** Principal of the access token; `undefined` without a token, because such clients cannot be distinguished. */
  readonly principal: string | undefined;
  /** Plural noun for error messages, such as `sessions`. */
  readonly what: string;
}

const LATER = { headers: { 'Retry-After': '60' } };

/**
 * Takes one unit until the returned function is called.
 *
 * @throws HttpError 503 if all units are taken, 429 if the principal has reached its share
 */
export function takeShare(shares: Shares, { principal, what }: UnitRequest): () => void {
  const shortage = shares.shortage(principal);
  const { max } = shares;
  if (shortage === 'all') throw new HttpError(503, `The maximum of ${max} ${what} is reached; try again later`, LATER);
  if (shortage === 'own') {
    const held = shares.heldBy(principal ?? '');
    const message = `This client has reached its share of ${what}: it has ${held} of the server's ${max}; end some of them first`;
    throw new HttpError(429, message, LATER);
  }
  shares.take(principal);
  return () => shares.giveBack(principal);
}
