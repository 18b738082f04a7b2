import { runServer } from '@org/mcp-host';

import { FilesystemOptions } from './options/filesystem-options.ts';
import { FilesystemServer } from './filesystem-server.ts';

// It reports its errors itself, and the bundle, which is no ES module, could not wait for it.
void runServer(FilesystemServer, FilesystemOptions);
