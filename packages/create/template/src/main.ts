import { runServer } from '@org/mcp-host';

import { TemplateServer } from './server.js';

await runServer(TemplateServer);
