import type { RequestContext } from '@org/mcp-decorators';

import { BackendProgress } from '../database/backend-progress.ts';
import type { Database } from '../database/database.ts';
import type { WriteOptions } from '../database/writer.ts';
import type { DatabaseInput } from './database-input.ts';

/** A call that writes. */
export interface WriteCall {
  readonly input: Pick<DatabaseInput, 'timeout_ms'>;
  readonly sql: string;
  readonly context: RequestContext;
}

/** Does a piece of work that writes, and tells its progress meanwhile. */
export async function observedWrite<Outcome>(
  database: Database,
  { input, sql, context }: WriteCall,
  work: (options: WriteOptions) => Promise<Outcome>,
): Promise<Outcome> {
  using progress = new BackendProgress(context, database);
  return await work({ signal: context.signal, timeoutMs: database.writeTimeoutFor(input), sql, progress });
}
