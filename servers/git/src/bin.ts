import { runServer } from '@org/mcp-host';

import { GitOptions } from './options/git-options.ts';
import { GitServer } from './git-server.ts';

// It reports its errors itself, and the bundle, which is no ES module, could not wait for it.
void runServer(GitServer, GitOptions);
