import { runServer } from '@org/mcp-host';

import { PostgresOptions } from './options/postgres-options.ts';
import { PostgresServer } from './postgres-server.ts';

/** Runs the server as this process. */
export function serve(): Promise<void> {
  return runServer(PostgresServer, PostgresOptions);
}
