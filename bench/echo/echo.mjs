import { Flag, Integer, McpServer, Text, Tool } from '@org/mcp-decorators';

/** The same server as in `echo-sdk.mjs`, as an annotated class; written without a compiler. */
export class EchoServer {
  echo({ text }) {
    return text;
  }
}

class EchoInput {
  text;
  times;
  loud;
}
Text({ maxLength: 10_000_000 })(EchoInput.prototype, 'text');
Integer({ min: 0 })(EchoInput.prototype, 'times');
Flag()(EchoInput.prototype, 'loud');
Tool({ description: 'Answer with the text', input: EchoInput })(EchoServer.prototype, 'echo', {});
McpServer({ name: 'echo', version: '1.0.0' })(EchoServer);
