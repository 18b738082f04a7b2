import { runServer } from '@org/mcp-host';

import { GitOptions } from './git-options.ts';
import { GitServer } from './git-server.ts';

// `runServer` reports its own errors. The bundle is not an ES module, so it cannot use a top-level `await`.
void runServer(GitServer, GitOptions);
