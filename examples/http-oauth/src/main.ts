#!/usr/bin/env node
import { runServer } from '@org/mcp-host';

import { SharedNotesServer } from './shared-notes-server.js';

await runServer(SharedNotesServer);
