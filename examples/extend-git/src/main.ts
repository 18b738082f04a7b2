#!/usr/bin/env node
import { runServer } from '@org/mcp-host';

import { ReleaseOptions } from './release-options.js';
import { ReleaseServer } from './release-server.js';

await runServer(ReleaseServer, ReleaseOptions);
