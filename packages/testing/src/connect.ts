import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { disposeServer, openServer, serveConnection, serveHttp, type ConnectionOptions, type HttpOptions } from '@org/mcp-host';

import { receiveHiddenError } from './session/hidden-errors.ts';
import { Session, type SessionOptions } from './session/session.ts';

/**
 * Opens a server object and connects a client to it in memory. Closing the session disposes of the server.
 *
 * Clients see only INTERNAL if the server throws an unexpected error. Without `onError`, that error is the `cause` of the error with
 * which {@link Session.call} rejects. The error is printed to stderr instead if several calls are in progress, or if the test called
 * {@link Session.fails} or the official client.
 *
 * @throws DefinitionError if the class is invalid, and any error of the object's `open`
 */
export async function connect(server: object, options: SessionOptions & ConnectionOptions = {}): Promise<Session> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const handle = serveConnection(server, serverSide, { onError: receiveHiddenError, ...options });
  const served = { server, features: options.features };
  const release = (): Promise<void> => closeAndDispose(handle, served);
  await open(served, release);
  return Session.open(clientSide, options, release);
}

/**
 * Opens a server object, serves it over HTTP at a free local port and connects a client to it. Closing the session stops the
 * service and disposes of the server. Unexpected errors of the server are reported as by {@link connect}.
 *
 * @throws DefinitionError if the class is invalid, and any error of the object's `open`
 */
export async function connectHttp(server: object, options: SessionOptions & HttpOptions = {}): Promise<Session> {
  const service = await serveHttp({ '/mcp': server }, { onError: receiveHiddenError, ...options });
  const served = { server, features: options.features };
  const release = (): Promise<void> => closeAndDispose(service, served);
  await open(served, release);
  return Session.open(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)), options, release);
}

/** Options for {@link connectUrl}. */
export interface ServiceOptions extends SessionOptions {
  /** Bearer token that is sent with each request. Default: no token. */
  readonly token?: string;
}

/**
 * Connects a client to a running service, such as a process that was started with `--http`. Closing the session does not stop the
 * service.
 */
export function connectUrl(url: string, { token, ...options }: ServiceOptions = {}): Promise<Session> {
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  return Session.open(new StreamableHTTPClientTransport(new URL(url), { requestInit }), options, () => Promise.resolve());
}

/**
 * Starts a server as a child process and connects a client to it over stdio. Closing the session ends the process. Rejects if the
 * process cannot be started.
 */
export function connectProcess(program: StdioServerParameters, options: SessionOptions = {}): Promise<Session> {
  return Session.open(new StdioClientTransport({ stderr: 'inherit', ...program }), options, () => Promise.resolve());
}

/** A server object and the objects that are served in addition. */
interface Served {
  readonly server: object;
  readonly features: readonly object[] | undefined;
}

async function open({ server, features }: Served, release: () => Promise<void>): Promise<void> {
  try {
    await openServer(server, undefined, features);
  } catch (error) {
    await release();
    throw error;
  }
}

async function closeAndDispose(serving: { close(): Promise<void> }, { server, features }: Served): Promise<void> {
  await serving.close();
  await disposeServer(server, features);
}
