import { Integer, OneOf, Text } from '@org/mcp-decorators';

import { IsDuration } from '../options/duration.ts';
import { ServerOptions } from '../server-options.ts';

const ROOTS = ['narrow', 'overlap', 'only', 'off'] as const;

/** What the roots of a client do to the operator's directories. */
export type RootsUse = (typeof ROOTS)[number];

/** Options of a server that works in directories; {@link CallRoots} obeys them. */
export class DirectoryOptions extends ServerOptions {
  /**
   * `narrow` and `overlap` ask clients that can be asked and take an empty list for no answer; `only` refuses clients without roots,
   * `off` does not ask.
   */
  @OneOf(
    ROOTS,
    "How a client's roots limit the directories. narrow: only directories inside the roots; overlap: like narrow, but all directories if no root overlaps them; only: like narrow, and clients without roots are refused; off: roots are not requested",
    { title: 'USE' },
  )
  roots: RootsUse = 'narrow';

  /** Of sessions; on 2026-07-28 nothing waits for an answer. */
  @IsDuration({ least: '1ms' })
  @Text('Fail a call whose client does not say in that time what its roots are', { title: 'TIME', format: 'duration' })
  rootsTimeout = '10s';

  /** Below what Linux gives a user by default. */
  @Integer('Maximum number of watched directories; other directories are polled every second', { min: 0, title: 'N' })
  maxWatches = 8192;
}
