import { runServer } from '@org/mcp-host';

import { FilesystemOptions } from './filesystem-options.ts';
import { FilesystemServer } from './filesystem-server.ts';

// Not awaited: `runServer` reports its errors itself, and the CommonJS bundle has no top-level await.
void runServer(FilesystemServer, FilesystemOptions);
