import type { Shares } from '@org/mcp-decorators';

import { Refusal } from './refusal.ts';

/** What a principal asks to hold. */
interface Wanted {
  /** Undefined without a token: such clients are not told apart. */
  readonly principal: string | undefined;
  /** In the plural, such as `sessions`. */
  readonly what: string;
}

const LATER = { headers: { 'Retry-After': '60' } };

/** Takes one, until the function that it returns is called. @throws Refusal 503 if all are taken, 429 if the principal may have no more */
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
