import { runServer } from '@org/mcp-host';

import { FilesystemOptions } from './options/filesystem-options.ts';
import { FilesystemServer } from './filesystem-server.ts';

await runServer(FilesystemServer, FilesystemOptions);
