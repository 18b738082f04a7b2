import type { BigIntStats } from 'node:fs';

import { VerifiedPath as VerifiedPathClass } from '../../src/handles/verified-path.ts';
import type { VerifiedPath } from '../../src/index.ts';

declare const facts: BigIntStats;

// @ts-expect-error only Roots can create a verified path: the constructor is private
export const constructed: VerifiedPath = new VerifiedPathClass('/etc/passwd', 'passwd', facts);

// @ts-expect-error an object of the same shape was never checked
export const faked: VerifiedPath = { real: '/etc/passwd', shown: 'passwd', facts };

// @ts-expect-error a string was never checked
export const unchecked: VerifiedPath = '/etc/passwd';

export function copied(verified: VerifiedPath): VerifiedPath {
  // @ts-expect-error a copy may differ from the checked path
  return { ...verified, shown: 'passwd' };
}

export function changed(verified: VerifiedPath): void {
  // @ts-expect-error a verified path is immutable
  verified.real = '/etc/passwd';
}
