import {
  CLIENT_CAPABILITIES_META_KEY,
  InMemoryTransport,
  inputRequired,
  McpServer,
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { Session, type SessionOptions } from '../src/index.ts';

type Handler = (context: ServerContext) => CallToolResult | InputRequiredResult;

/** Joins a client to a server whose tools ask it for what they need, each input in a round of its own. */
export function connectAsking(options: SessionOptions): Promise<Session> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(askingServer, { transport: serverSide });
  return Session.open(clientSide, options, () => handle.close());
}

function askingServer(): McpServer {
  const mcp = new McpServer({ name: 'asking', version: '1.0.0' });
  const capabilities = ({ mcpReq: { envelope = {} } }: ServerContext): unknown =>
    Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY) ?? mcp.server.getClientCapabilities();
  mcp.registerTool('confirm', {}, asking(form('Delete a.txt?')));
  mcp.registerTool('confirm_both', {}, asking(form('Delete a.txt?'), form('Delete b.txt?')));
  mcp.registerTool('name', {}, asking(question('Name it')));
  mcp.registerTool('capabilities', {}, (context) => saying(capabilities(context)));
  return mcp;
}

function form(message: string): InputRequest {
  const properties = { confirm: { type: 'boolean' } } as const;
  return inputRequired.elicit({ message, requestedSchema: { type: 'object', properties } });
}

function question(text: string): InputRequest {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 10 });
}

/** Asks for the first input that is missing; with all of them the tool says what it was answered. */
function asking(...inputs: readonly InputRequest[]): Handler {
  return ({ mcpReq: { inputResponses = {}, requestState } }) => {
    const answers: readonly unknown[] = [...JSON.parse(requestState<string>() ?? '[]'), ...Object.values(inputResponses)];
    const missing = inputs[answers.length];
    if (missing === undefined) return saying(answers);
    return inputRequired({ inputRequests: { input: missing }, requestState: JSON.stringify(answers) });
  };
}

function saying(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}
