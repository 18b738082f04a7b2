import { Field } from '@org/mcp-decorators';
import { IsIn, IsString } from 'class-validator';

import { IsDuration } from '../options/duration.ts';
import { ServerOptions } from '../server-options.ts';

const ROOTS = ['narrow', 'only', 'off'] as const;

/** What the roots of a client do to the operator's directories. */
export type RootsUse = (typeof ROOTS)[number];

/** Options of a server that works in directories; {@link clientRootsOf} obeys them. */
export class DirectoryOptions extends ServerOptions {
  /** `narrow` asks clients that can be asked, `only` refuses those that cannot, `off` asks nobody. */
  @Field(
    'narrow: the roots of a client narrow the directories; only: and clients without roots are refused; off: nobody is asked',
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
}
