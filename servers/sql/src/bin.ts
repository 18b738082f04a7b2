import { runServer } from '@org/mcp-host';

import { PostgresOptions } from './options/postgres-options.ts';
import { PostgresServer } from './postgres-server.ts';

await runServer(PostgresServer, PostgresOptions);
