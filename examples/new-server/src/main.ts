#!/usr/bin/env node
import { runServer } from '@org/mcp-host';

import { LibraryServer } from './library-server.js';

await runServer(LibraryServer);
