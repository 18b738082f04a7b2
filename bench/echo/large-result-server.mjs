import { McpServer, Tool } from '@org/mcp-decorators';
import { runServer } from '@org/mcp-host';

/** The same server as in `large-result-sdk-server.mjs`, as an annotated class; written without a compiler. */
class LargeResultServer {
  large() {
    return 'x'.repeat(1024 * 1024);
  }
}
Tool({ description: 'Answer with a text of 1 MiB' })(LargeResultServer.prototype, 'large', {});
McpServer({ name: 'large-result', version: '1.0.0' })(LargeResultServer);

await runServer(LargeResultServer);
