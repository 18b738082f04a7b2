import { runServer } from '@org/mcp-host';

import { AskingServer } from './asking-server.ts';

await runServer(AskingServer);
