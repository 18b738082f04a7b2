import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { echoServer } from './echo-sdk.mjs';

// `serveStdio` of the SDK also serves both eras.
serveStdio(echoServer);
