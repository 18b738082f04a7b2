import { fstatSync } from 'node:fs';

import { serveConnection } from '../connection.ts';
import type { Created } from '../created.ts';
import type { Log } from '../log.ts';
import { parseSize } from '../options/size.ts';
import { drain, DRAIN_MS, forceExit, LEFT_MS, type EndRequest } from '../shutdown.ts';
import { StdioTransport } from './stdio-transport.ts';

/**
 * Serves over stdio until the client closes its side or a signal asks for the end; then what is in flight may finish, and the rest is
 * answered with an error: after 4 seconds, or 750 ms where a client has closed its side. A signal during this wait ends the wait:
 * the client gave up.
 */
export async function serveStdio(
  { server, compiled, serving, options }: Created,
  log: Log,
  { requested, repeated }: EndRequest,
): Promise<void> {
  // Its descriptor may be another's once it has ended.
  const drainMs = isFromOrToFile() ? DRAIN_MS : LEFT_MS;
  const transport = new StdioTransport(process.stdin, process.stdout, { maxLine: parseSize(options.maxMessage) });
  const connection = serveConnection(server, transport, {
    ...serving,
    onTransportError: (error) => log.warning(error.message),
  });
  log.debug(`${compiled.info.name} ${compiled.info.version} serves over stdio`);
  const isSignal = await Promise.race([transport.ended.then(() => false), requested.then(() => true)]);
  forceExit();
  transport.refuseRequests();
  if (isSignal) await drain(transport.idle(), DRAIN_MS, repeated);
  else await drain(transport.idle(), drainMs, requested);
  await connection.close();
}

/** The end of a file, or of what was piped in at a terminal, is not the end of whoever reads the answers. */
function isFromOrToFile(): boolean {
  const isFile = ({ fd }: { readonly fd: number }): boolean => fstatSync(fd).isFile();
  return isFile(process.stdin) || isFile(process.stdout) || process.stdout.isTTY;
}
