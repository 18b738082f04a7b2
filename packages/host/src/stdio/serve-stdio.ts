import { fstatSync, statSync } from 'node:fs';

import type { Log } from '../process/log.ts';
import { drain, DRAIN_MS, forceExit, CLIENT_GONE_DRAIN_MS, type ShutdownRequest } from '../process/shutdown.ts';
import { serveConnection } from '../protocol/serve-connection.ts';
import type { ServerInstance } from '../server/server-instance.ts';
import { StdioTransport } from './stdio-transport.ts';

/**
 * Serves over stdio until the client closes its end of the connection or a signal arrives. Requests in flight may then finish
 * within 4 seconds, or within 750 ms if the client has closed its end of a pipe; the remaining requests are answered with an
 * error. A signal during this wait ends it.
 */
export async function serveStdio(
  { server, compiled, factoryOptions, options }: ServerInstance,
  log: Log,
  { requested, repeated }: ShutdownRequest,
): Promise<void> {
  // Determined at the start, because after stdin has ended, its file descriptor may belong to another file.
  const drainMs = usesFileOrTerminal() ? DRAIN_MS : CLIENT_GONE_DRAIN_MS;
  const transport = new StdioTransport(process.stdin, process.stdout, { maxLineBytes: options.maxMessage });
  const connection = serveConnection(server, transport, {
    ...factoryOptions,
    onTransportError: (error) => log.warning(error.message),
  });
  log.debug(`${compiled.info.name} ${compiled.info.version} serves over stdio`);
  const isSignal = await Promise.race([transport.ended.then(() => false), requested.then(() => true)]);
  forceExit();
  transport.refuseRequests();
  if (isSignal) await drain(transport.whenIdle(), DRAIN_MS, repeated);
  else await drain(transport.whenIdle(), drainMs, requested);
  await connection.close();
}

/**
 * Whether the input is a file, or the output is a file or a terminal. In this case, the end of the input does not mean
 * that the client is gone.
 */
function usesFileOrTerminal(): boolean {
  const isFile = ({ fd }: { readonly fd: number }): boolean => fstatSync(fd).isFile();
  const uses = isFile(process.stdin) || isFile(process.stdout) || process.stdout.isTTY;
  // If the last synchronous stat was that of a pipe, Node.js 20 does not follow links to packages, so packages that are imported later
  // do not find their dependencies.
  statSync(process.execPath);
  return uses;
}
