import { runServer } from '@org/mcp-host';

import { ProtocolServer } from './protocol-server.ts';

await runServer(ProtocolServer);
