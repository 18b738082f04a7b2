import { Console } from 'node:console';

import { onBus } from '../bus/on-bus.ts';
import { serveConnection } from '../connection.ts';
import type { Created } from '../created.ts';
import type { Log } from '../log.ts';
import type { ServerObject } from '../server-object.ts';
import { endRequested, exitOnUnhandled, forceExit } from '../shutdown.ts';
import { StdioTransport } from '../stdio-transport.ts';
import type { Command } from './command.ts';

export const serve: Command = {
  summary: 'Serve over stdio, or with --http over HTTP (the default)',
  async run(context) {
    keepStdoutForTheProtocol();
    const created = context.create();
    const { server } = created;
    const release = releaseOnce(server);
    exitOnUnhandled(context.log, release);
    const ended = endRequested(context.log);
    try {
      const opened = Promise.resolve(server.open?.()).then(() => true);
      const begins = await Promise.race([opened, ended.then(() => false)]);
      if (begins) await onBus(created, context.log, () => serveWith(created, context.log, ended));
      return 0;
    } finally {
      await release();
    }
  },
};

async function serveWith(created: Created, log: Log, ended: Promise<void>): Promise<void> {
  const { http } = created.options;
  if (http === undefined) return serveStdio(created, log, ended);
  // A server over stdio starts without it.
  const { serveOverHttp } = await import('../http/serve-over-http.ts');
  return serveOverHttp(created, http, { log, ended });
}

/** Serves until the client closes its side or a signal asks for the end. */
async function serveStdio({ server, compiled, serving }: Created, log: Log, ended: Promise<void>): Promise<void> {
  const transport = new StdioTransport(process.stdin, process.stdout);
  const connection = serveConnection(server, transport, {
    ...serving,
    onTransportError: (error) => log.warning(error.message),
  });
  log.debug(`${compiled.info.name} ${compiled.info.version} serves over stdio`);
  await Promise.race([transport.closed, ended]);
  forceExit();
  await connection.close();
}

function releaseOnce(server: ServerObject): () => Promise<void> {
  let released: Promise<void> | undefined;
  return () => (released ??= Promise.resolve(server[Symbol.asyncDispose]?.()));
}

// A stray console.log of a subclass or a library would otherwise be read by the client as a message.
function keepStdoutForTheProtocol(): void {
  // Each answer that waits for a slow reader listens once; and a log that nobody reads any more must not end the process.
  process.stdout.setMaxListeners(0);
  process.stderr.on('error', () => undefined);
  globalThis.console = new Console(process.stderr);
}
