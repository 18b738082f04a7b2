import { runServer } from '@org/mcp-host';

import { GitOptions } from './options/git-options.ts';
import { GitServer } from './git-server.ts';

await runServer(GitServer, GitOptions);
