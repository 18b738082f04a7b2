#!/usr/bin/env node
import { FilesystemOptions } from '@org/mcp-fs';
import { runServer } from '@org/mcp-host';

import { WorkbenchServer } from './workbench-server.js';

// The program has the options of the file server: both servers use its directories, roots and state directory.
await runServer(WorkbenchServer, FilesystemOptions);
