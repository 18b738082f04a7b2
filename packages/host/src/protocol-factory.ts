import type { serverFactory } from '@org/mcp-decorators';

/** Makes one protocol instance of a server object, for a connection, a session or a request. */
export type ProtocolFactory = ReturnType<typeof serverFactory>;
