import { runServer } from '@org/mcp-host';

import { ConformanceServer } from './conformance-server.ts';

await runServer(ConformanceServer);
