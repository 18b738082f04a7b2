import { runServer } from '@org/mcp-host';

import { EchoServer } from './echo.mjs';

await runServer(EchoServer);
