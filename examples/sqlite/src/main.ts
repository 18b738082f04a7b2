#!/usr/bin/env node
import { runServer } from '@org/mcp-host';

import { SqliteOptions } from './sqlite-options.js';
import { SqliteServer } from './sqlite-server.js';

await runServer(SqliteServer, SqliteOptions);
