import type { Result } from '../result.ts';

/** What a method with an `output` class may return; anything where there is none. */
export type Returned<Output> = [Output] extends [never] ? unknown : Output | Result | Promise<Output | Result>;
