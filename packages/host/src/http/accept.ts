import type { IncomingMessage } from 'node:http';

import { headerOf } from './header.ts';
import { Refusal } from './refusal.ts';

/** Asserts that a client takes all of some media types; one that does not say what it takes, takes everything. @throws Refusal 406 */
export function assertAccepts(request: IncomingMessage, types: readonly string[]): void {
  const accepted = new Set(headerOf(request, 'accept')?.split(',').map(mediaType) ?? ['*/*']);
  const takes = (type: string): boolean =>
    [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'].some((range) => accepted.has(range));
  if (!types.every(takes)) throw new Refusal(406, `The Accept header must list ${types.join(' and ')}`);
}

/** Without parameters: the server has but one form to offer. */
function mediaType(range: string): string {
  const [type = ''] = range.split(';', 1);
  return type.trim().toLowerCase();
}
