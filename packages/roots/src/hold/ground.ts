import type { Guarantee, Hold } from './anchor.ts';
import { POOLED, type Calls } from './calls.ts';
import { callsFor } from './mounts.ts';
import { HOLDERS } from './platform.ts';

/** What a root stands on: how the file system is called there, and how things in it are held. */
export interface Ground {
  readonly guarantee: Guarantee;
  readonly calls: Calls;
  readonly hold: Hold;
}

/** For a directory whose real path is known. */
export function groundOf(directory: string, guarantee: Guarantee): Ground {
  return withCalls(callsFor(directory), guarantee);
}

/** For a path that may lead anywhere. */
export function patientGround(guarantee: Guarantee): Ground {
  return withCalls(POOLED, guarantee);
}

function withCalls(calls: Calls, guarantee: Guarantee): Ground {
  return { guarantee, calls, hold: (target, follows) => HOLDERS[guarantee](calls, target, follows) };
}
