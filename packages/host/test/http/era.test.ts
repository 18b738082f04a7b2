import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { detectEra } from '../../src/http/endpoint.ts';

const VERSIONS = [undefined, '', '2024-11-05', '2025-11-25', '2026-07-28', '2027-01-01', 'x'];

const ENVELOPE = {
  [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'ada', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } };

/** Valid and invalid messages, by their descriptions. */
const BODIES: Readonly<Record<string, unknown>> = {
  'a call': CALL,
  'a call with an envelope': withMeta(ENVELOPE),
  'a call with another revision': withMeta({ ...ENVELOPE, [PROTOCOL_VERSION_META_KEY]: '2025-11-25' }),
  'a call with a revision that is no text': withMeta({ ...ENVELOPE, [PROTOCOL_VERSION_META_KEY]: 7 }),
  'a call with half an envelope': withMeta({ [PROTOCOL_VERSION_META_KEY]: '2026-07-28' }),
  'a call with other metadata': withMeta({ progressToken: 1 }),
  'a call whose metadata is a list': withMeta([ENVELOPE]),
  'a call whose metadata is null': withMeta(null),
  'a call without parameters': { jsonrpc: '2.0', id: 1, method: 'tools/call' },
  'a call without an id': { jsonrpc: '2.0', method: 'tools/call', params: CALL.params },
  'a list': { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: ENVELOPE } },
  'an initialize': { jsonrpc: '2.0', id: 1, method: 'initialize', params: { _meta: ENVELOPE } },
  'an answer': { jsonrpc: '2.0', id: 1, result: {} },
  'a notification': { jsonrpc: '2.0', method: 'notifications/initialized' },
  'something else': { hello: 'world' },
  nothing: null,
};

function withMeta(meta: unknown): object {
  return { ...CALL, params: { ...CALL.params, _meta: meta } };
}

function posted(version: string | undefined): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (version !== undefined) request.headers['mcp-protocol-version'] = version;
  return request;
}

describe('the era of a request', () => {
  it.each(Object.entries(BODIES))('is the same as in the SDK for %s with each version', (_, body) => {
    const eras = VERSIONS.map((version) => detectEra(posted(version), body) === 'legacy');
    const classified = VERSIONS.map((version) =>
      classifyInboundRequest({ httpMethod: 'POST', body, ...(version !== undefined && { protocolVersionHeader: version }) }),
    );
    expect(eras).toEqual(classified.map(({ kind }) => kind === 'legacy'));
  });
});
