import { existsSync } from 'node:fs';

import type { Anchor, Guarantee } from './anchor.ts';
import type { Calls } from './calls.ts';
import { PinnedAnchor } from './pinned-anchor.ts';
import { RecheckedAnchor } from './rechecked-anchor.ts';

/** The better guarantee that this machine can give. */
export function guaranteeHere(): Guarantee {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'pinned' : 'rechecked';
}

/** How anchors of a guarantee are got. */
export const HOLDERS: Readonly<Record<Guarantee, (calls: Calls, target: string, follows: boolean) => Promise<Anchor>>> = {
  pinned: PinnedAnchor.hold,
  rechecked: RecheckedAnchor.hold,
};
