import { runServer } from '@org/mcp-host';

import { EndingServer } from './ending-server.ts';

await runServer(EndingServer);
