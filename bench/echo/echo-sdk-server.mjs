import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { echoServer } from './echo-sdk.mjs';

// `serveStdio` of the SDK also serves both protocol revisions.
serveStdio(echoServer);
