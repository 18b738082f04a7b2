import { runServer } from '@org/mcp-host';

import { WireServer } from './wire-server.ts';

await runServer(WireServer);
