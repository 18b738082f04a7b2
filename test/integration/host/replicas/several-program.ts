import { runServer } from '@org/mcp-host';

import { SeveralServer } from './several-server.ts';

await runServer(SeveralServer);
