import type { Shares } from '@org/mcp-decorators';

import { Refusal } from './refusal.ts';

/** A unit that a principal requests. */
interface Wanted {
  /** `undefined` without a token: such clients cannot be distinguished. */
  readonly principal: string | undefined;
  /** Plural noun for error messages, such as `sessions`. */
  readonly what: string;
}

const LATER = { headers: { 'Retry-After': '60' } };

/**
 * Takes one unit until the returned function is called.
 *
 * @throws Refusal 503 if all units are taken, 429 if the principal has reached its share
 */
export function takeShare(shares: Shares, { principal, what }: Wanted): () => void {
  const shortage = shares.shortage(principal);
  const { max } = shares;
  if (shortage === 'all') throw new Refusal(503, `${max} ${what} are open, as many as there may be; try again later`, LATER);
  if (shortage === 'own') {
    const message = `This client has ${shares.heldBy(principal ?? '')} of ${max} ${what}, as many as it leaves for other clients; end some first`;
    throw new Refusal(429, message, LATER);
  }
  shares.take(principal);
  return () => shares.giveBack(principal);
}
