import { runServer } from '@org/mcp-host';

import { InformedOptions, InformedServer } from './informed-server.ts';

await runServer(InformedServer, InformedOptions);
