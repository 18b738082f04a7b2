import { runServer } from '@org/mcp-host';

import { PostgresOptions } from './postgres-options.ts';
import { PostgresServer } from './postgres-server.ts';

await runServer(PostgresServer, PostgresOptions);
