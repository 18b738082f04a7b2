import { Console } from 'node:console';

import { serveConnection } from '../connection.ts';
import { endRequested, exitOnUnhandled, forceExit } from '../shutdown.ts';
import { StdioTransport } from '../stdio-transport.ts';
import type { Command } from './command.ts';

export const serve: Command = {
  summary: 'Serve over stdio (the default)',
  async run({ compiled, offers, log, create }) {
    keepStdoutForTheProtocol();
    const server = create();
    const release = async (): Promise<void> => server[Symbol.asyncDispose]?.();
    exitOnUnhandled(log, release);
    await server.open?.();
    const transport = new StdioTransport(process.stdin, process.stdout);
    const connection = serveConnection(server, transport, {
      offers,
      onError: (error, place) => log.error(place, error),
      onTransportError: (error) => log.warning(error.message),
    });
    log.debug(`${compiled.info.name} ${compiled.info.version} serves over stdio`);
    await Promise.race([transport.closed, endRequested(log)]);
    forceExit();
    await connection.close();
    await release();
    return 0;
  },
};

// A stray console.log of a subclass or a library would otherwise be read by the client as a message.
function keepStdoutForTheProtocol(): void {
  globalThis.console = new Console(process.stderr);
}
