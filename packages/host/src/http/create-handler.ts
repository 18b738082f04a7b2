import { openServer } from '../process/server-object.ts';
import type { HandlerOptions, McpHandler } from './mcp-handler.ts';

/**
 * Opens a server object and the extra `features`, and returns a handler that serves them inside an application: in all protocol
 * versions, with sessions, subscriptions, authorization and all limits. Without `allowedHosts`, only requests to localhost, 127.0.0.1 and [::1] are accepted.
 *
 * @throws DefinitionError if the class is not usable, TypeError for an invalid path or a missing `peerUrl`, UsageError for an allowed host or origin that is
 *   not a host name, and any error of the object's `open`
 */
export async function createHandler(server: object, options: HandlerOptions = {}): Promise<McpHandler> {
  // Loaded only when needed, so that a server without HTTP starts faster.
  const { McpHandler: Handler } = await import('./mcp-handler.ts');
  const handler = new Handler(server, options);
  try {
    await openServer(server, undefined, options.features);
  } catch (error) {
    await handler.close();
    throw error;
  }
  return handler;
}
