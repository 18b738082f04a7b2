import { runServer } from '@org/mcp-host';

import { ClosingServer } from './closing-server.ts';

await runServer(ClosingServer);
