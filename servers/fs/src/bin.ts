import { runServer } from '@org/mcp-host';

import { FilesystemOptions } from './filesystem-options.ts';
import { FilesystemServer } from './filesystem-server.ts';

await runServer(FilesystemServer, FilesystemOptions);
