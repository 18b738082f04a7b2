import { serveConnection } from '../connection.ts';
import type { Created } from '../created.ts';
import type { Log } from '../log.ts';
import { parseSize } from '../options/size.ts';
import { drain, forceExit } from '../shutdown.ts';
import { StdioTransport } from './stdio-transport.ts';

/**
 * Serves over stdio until the client closes its side or a signal asks for the end; then what is in flight may finish, and the rest is
 * answered with an error. A signal that comes while a client's end is awaited is from the client that lost patience.
 */
export async function serveStdio(
  { server, compiled, serving, options }: Created,
  log: Log,
  signalled: Promise<void>,
): Promise<void> {
  const transport = new StdioTransport(process.stdin, process.stdout, { maxLine: parseSize(options.maxMessage) });
  const connection = serveConnection(server, transport, {
    ...serving,
    onTransportError: (error) => log.warning(error.message),
  });
  log.debug(`${compiled.info.name} ${compiled.info.version} serves over stdio`);
  const isSignal = await Promise.race([transport.ended.then(() => false), signalled.then(() => true)]);
  forceExit();
  transport.refuseRequests();
  await drain(transport.idle(), isSignal ? undefined : signalled);
  await connection.close();
}
