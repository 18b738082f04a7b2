import { runServer } from '@org/mcp-host';

import { PostgresOptions } from './postgres-options.ts';
import { PostgresServer } from './postgres-server.ts';

/** Runs the server as this process. This is a separate file, because `bin.ts` starts the embedded database before it loads the server. */
export function serve(): Promise<void> {
  return runServer(PostgresServer, PostgresOptions);
}
