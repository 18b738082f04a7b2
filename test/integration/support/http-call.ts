import { ENVELOPE } from './wire.ts';

interface ToolCall {
  readonly name: string;
  readonly arguments?: object;
}

/** Creates the HTTP request of a tool call of 2026-07-28. `headers` are added to the usual headers or replace them. */
export function httpCall(params: ToolCall, headers: Readonly<Record<string, string>> = {}): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: ENVELOPE } }),
  });
}
