import { Console } from 'node:console';

import { onBus } from '../bus/on-bus.ts';
import type { Created } from '../created.ts';
import type { Log } from '../log.ts';
import type { ServerObject } from '../server-object.ts';
import { exitOnUnhandled, takeSignals, type EndRequest } from '../shutdown.ts';
import { serveStdio } from '../stdio/serve-stdio.ts';
import type { Command } from './command.ts';

export const serve: Command = {
  summary: 'Serve over stdio, or with --http over HTTP (the default)',
  async run(context) {
    keepStdoutForTheProtocol();
    const created = context.create();
    const { server } = created;
    const release = releaseOnce(server);
    exitOnUnhandled(context.log, release);
    const end = takeSignals();
    void end.requested.then((signal) => context.log.info(`${signal}: closing`));
    try {
      if (end.isRequested) return 0;
      const opened = Promise.resolve(server.open?.(context.log)).then(() => true);
      const begins = await Promise.race([opened, end.requested.then(() => false)]);
      if (begins) await onBus(created, context.log, () => serveWith(created, context.log, end));
      return 0;
    } finally {
      await release();
    }
  },
};

async function serveWith(created: Created, log: Log, end: EndRequest): Promise<void> {
  const { http } = created.options;
  if (http === undefined) return serveStdio(created, log, end);
  // A server over stdio starts without it.
  const { serveOverHttp } = await import('../http/serve-over-http.ts');
  return serveOverHttp(created, http, { log, end });
}

function releaseOnce(server: ServerObject): () => Promise<void> {
  let released: Promise<void> | undefined;
  return () => (released ??= Promise.resolve(server[Symbol.asyncDispose]?.()));
}

// A stray console.log of a subclass or a library would otherwise be read by the client as a message.
function keepStdoutForTheProtocol(): void {
  globalThis.console = new Console(process.stderr);
}
