import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { echoServer } from './echo-sdk.mjs';

// The SDK's own entry serves both eras too.
serveStdio(echoServer);
