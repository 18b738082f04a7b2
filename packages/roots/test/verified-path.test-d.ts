import type { BigIntStats } from 'node:fs';

import type { VerifiedPath } from '../src/index.ts';
import { VerifiedPath as VerifiedPathClass } from '../src/verified-path.ts';

declare const facts: BigIntStats;

// @ts-expect-error only Roots makes one: the constructor is private
export const constructed: VerifiedPath = new VerifiedPathClass('/etc/passwd', 'passwd', facts);

// @ts-expect-error an object of the same shape was never checked
export const faked: VerifiedPath = { real: '/etc/passwd', shown: 'passwd', facts };

// @ts-expect-error a string was never checked
export const unchecked: VerifiedPath = '/etc/passwd';

export function copied(verified: VerifiedPath): VerifiedPath {
  // @ts-expect-error a copy may say something else than what was checked
  return { ...verified, shown: 'passwd' };
}

export function changed(verified: VerifiedPath): void {
  // @ts-expect-error what was checked stays as it is
  verified.real = '/etc/passwd';
}
