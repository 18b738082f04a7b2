#!/usr/bin/env node
import { FilesystemOptions } from '@org/mcp-fs';
import { runServer } from '@org/mcp-host';

import { WorkbenchServer } from './workbench-server.js';

// The program has the options of the file server. The git server uses the options for directories, roots and the state directory.
await runServer(WorkbenchServer, FilesystemOptions);
