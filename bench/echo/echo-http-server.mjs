import { serveHttp } from '@org/mcp-host';

import { EchoServer } from './echo.mjs';

const { url } = await serveHttp({ '/mcp': new EchoServer() });
process.send({ url });
