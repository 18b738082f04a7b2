const clientInfo = { name: 'bench', version: '1.0.0' };

/** The `_meta` of each request without a session. */
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The first request of a session. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};

/** The notification that a client sends after the session has been initialized. */
export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** The first request of a client that has no session. */
export const DISCOVER = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } };

/** Functions that create a call: a call in a session, and a self-contained call with `_meta`. */
export const CALL = {
  session: (id, params) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  stateless: (id, params) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...params, _meta } }),
};
