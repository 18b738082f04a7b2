#!/usr/bin/env node
import { runServer } from '@org/mcp-host';

import { ShopOptions } from './shop-options.js';
import { ShopServer } from './shop-server.js';

await runServer(ShopServer, ShopOptions);
