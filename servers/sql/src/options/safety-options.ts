import { Flag, Integer, OneOf } from '@org/mcp-decorators';

import type { PolicyOptions } from '../policy/policy.ts';
import { ConnectionOptions } from './connection-options.ts';

const POLICIES = ['strict', 'standard', 'off'] as const;

/** What may be done to a database, and as whom. */
export class SafetyOptions extends ConnectionOptions implements PolicyOptions {
  @OneOf(
    POLICIES,
    'What is read of a statement before it is sent; strict: calls of volatile functions are refused but for harmless ones; standard: those that users of the database wrote are not; off: nothing',
    { title: 'WHICH' },
  )
  policy: PolicyOptions['policy'] = 'strict';

  // What parsing costs grows with it, and nothing can interrupt that: 128 KiB of the worst are 0.2 s, 1 MiB are 2 s.
  @Integer('Longest statement that is taken', { min: 1024, max: 1_048_576, title: 'BYTES' }) maxStatement = 131_072;
  @Flag('Offer execute, which changes databases, each time once that was confirmed; --read-only wins over it') writable = false;

  @Flag('Accept a URL whose role could write or read files of the database server in spite of a read-only transaction')
  allowPrivilegedRole = false;

  @Flag('Let cancel end sessions of other roles too, as far as PostgreSQL lets the role') cancelOthers = false;
}
