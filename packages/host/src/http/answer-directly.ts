import type { ServerResponse } from 'node:http';

import type { McpServer } from '@modelcontextprotocol/server';

import { mendedError } from '../wire/session-error.ts';

/**
 * Has a result that comes alone written as it is, and its exchange closed as if the client had gone: a response of the web platform
 * costs more to make and to take apart than most calls. Whatever else an exchange sends goes the SDK's way, with errors as everywhere.
 */
export function answerDirectly(mcp: McpServer, response: ServerResponse): McpServer {
  const connect = mcp.connect.bind(mcp);
  // The SDK connects each instance to a transport of its own.
  mcp.connect = (transport) => {
    const send = transport.send.bind(transport);
    let isAlone = true;
    transport.send = async (message, options) => {
      isAlone &&= 'result' in message && !response.headersSent;
      if (!isAlone) return send('error' in message ? mendedError(message, undefined, false) : message, options);
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(message));
      // The SDK has not seen to the end of sending yet.
      queueMicrotask(() => void transport.close());
    };
    return connect(transport);
  };
  return mcp;
}
