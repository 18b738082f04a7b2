import { McpServer, Tool } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsString, MaxLength, Min } from 'class-validator';

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
IsString()(EchoInput.prototype, 'text');
MaxLength(10_000_000)(EchoInput.prototype, 'text');
IsInt()(EchoInput.prototype, 'times');
Min(0)(EchoInput.prototype, 'times');
IsBoolean()(EchoInput.prototype, 'loud');
Tool({ description: 'Answer with the text', input: EchoInput })(EchoServer.prototype, 'echo', {});
McpServer({ name: 'echo', version: '1.0.0' })(EchoServer);
