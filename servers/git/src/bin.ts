import { runServer } from '@org/mcp-host';

import { GitOptions } from './git-options.ts';
import { GitServer } from './git-server.ts';

await runServer(GitServer, GitOptions);
