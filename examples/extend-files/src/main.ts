#!/usr/bin/env node
import { runServer } from '@org/mcp-host';

import { HandbookOptions } from './handbook-options.js';
import { HandbookServer } from './handbook-server.js';

await runServer(HandbookServer, HandbookOptions);
