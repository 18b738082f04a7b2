import { InMemoryTransport } from '@modelcontextprotocol/server';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { serveConnection, type ConnectionOptions, type ServerObject } from '@org/mcp-host';

import { Session, type SessionOptions } from './session.ts';

/**
 * Opens a server object and joins a client to it in memory; closing the session disposes of the server.
 *
 * @throws DefinitionError if the class is not usable, and what the object's `open` throws
 */
export async function connect(server: object, options: SessionOptions & ConnectionOptions = {}): Promise<Session> {
  const opened: ServerObject = server;
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const handle = serveConnection(server, serverSide, options);
  const release = async (): Promise<void> => {
    await handle.close();
    await opened[Symbol.asyncDispose]?.();
  };
  try {
    await opened.open?.();
  } catch (error) {
    await release();
    throw error;
  }
  return Session.open(clientSide, options, release);
}

/** Starts a server as a process of its own and joins a client to it over stdio; closing the session ends the process. Rejects if it cannot be started. */
export function connectProcess(program: StdioServerParameters, options: SessionOptions = {}): Promise<Session> {
  return Session.open(new StdioClientTransport({ stderr: 'inherit', ...program }), options, () => Promise.resolve());
}
