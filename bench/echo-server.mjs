import { McpServer, Tool } from '@org/mcp-decorators';
import { runServer } from '@org/mcp-host';
import { IsBoolean, IsInt, IsString, MaxLength, Min } from 'class-validator';

/** The server of `echo-sdk-server.mjs`, as a class; written without a compiler. */
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

class EchoServer {
  echo({ text }) {
    return text;
  }
}
Tool({ description: 'Answer with the text', input: EchoInput })(EchoServer.prototype, 'echo', {});
McpServer({ name: 'echo', version: '1.0.0' })(EchoServer);

await runServer(EchoServer);
