import { Field } from '@org/mcp-decorators';
import { IsIn, IsInt, IsString, Min } from 'class-validator';

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
  @Field(
    "How a client's roots limit the directories. narrow: only directories inside the roots; overlap: like narrow, but all directories if no root overlaps them; only: like narrow, and clients without roots are refused; off: roots are not requested",
    {
      title: 'USE',
    },
  )
  @IsIn([...ROOTS])
  roots: RootsUse = 'narrow';

  /** Of sessions; on 2026-07-28 nothing waits for an answer. */
  @Field('Fail a call whose client does not say in that time what its roots are', { title: 'TIME', format: 'duration' })
  @IsString()
  @IsDuration({ least: '1ms' })
  rootsTimeout = '10s';

  /** Below what Linux gives a user by default. */
  @Field('Maximum number of watched directories; other directories are polled every second', { title: 'N' })
  @IsInt()
  @Min(0)
  maxWatches = 8192;
}
