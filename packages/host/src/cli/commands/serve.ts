import { Console } from 'node:console';

import type { Bus } from '../../bus/bus.ts';
import type { Log } from '../../process/log.ts';
import { disposeServer, openServer } from '../../process/server-object.ts';
import { exitOnUnhandled, interceptSignals, type ShutdownRequest } from '../../process/shutdown.ts';
import type { ServerInstance } from '../../server/server-instance.ts';
import { serveStdio } from '../../stdio/serve-stdio.ts';
import type { Command } from './command.ts';

export const serve: Command = {
  summary: 'Serve over stdio, or over HTTP with --http; this is the default command',
  async run(context) {
    redirectConsoleToStderr();
    const creating = context.create();
    const release = releaseOnce(creating);
    exitOnUnhandled(context.log, release);
    const end = interceptSignals();
    void end.requested.then((signal) => context.log.info(`${signal}: closing`));
    try {
      const opening = openInstance(creating, context.log, end);
      const instance = await Promise.race([opening, end.requested.then(() => undefined)]);
      if (instance !== undefined)
        await withBus(instance, context.log, (bus) => serveWith(instance, { log: context.log, end, bus }));
      return 0;
    } finally {
      await release();
    }
  },
};

interface ServeContext {
  readonly log: Log;
  readonly end: ShutdownRequest;
  readonly bus: Bus | undefined;
}

async function serveWith(instance: ServerInstance, { log, end, bus }: ServeContext): Promise<void> {
  const { http, tokenFile, authIssuer } = instance.options;
  if (http === undefined) {
    if (tokenFile !== undefined || authIssuer !== undefined)
      log.warning('--token-file and --auth-issuer apply only with --http: over stdio, every call is accepted without a token');
    if (process.stdin.isTTY) explainWaiting(instance.compiled.info.name);
    return serveStdio(instance, log, end);
  }
  // Loaded only when needed, so that a stdio server starts faster.
  const { serveOverHttp } = await import('../../http/serve-over-http.ts');
  return serveOverHttp(instance, http, { log, end, bus });
}

/** Explains to a person at a terminal why the program seems to do nothing: it waits for the messages of a client. */
function explainWaiting(name: string): void {
  process.stderr.write(
    `${name} waits for messages of an MCP client on standard input.\n` +
      `To let a client start it, run: ${name} install claude-desktop (other clients: ${name} --help). Ctrl-C ends it.\n`,
  );
}

/** Opens the server object, unless a signal was received before it was created. */
async function openInstance(
  creating: Promise<ServerInstance>,
  log: Log,
  end: ShutdownRequest,
): Promise<ServerInstance | undefined> {
  const instance = await creating;
  if (end.isRequested) return undefined;
  await openServer(instance.server, log, instance.features);
  return instance;
}

/** Returns a function that disposes of the server object at its first call. Does nothing if no object could be created. */
function releaseOnce(creating: Promise<ServerInstance>): () => Promise<void> {
  let released: Promise<void> | undefined;
  return () =>
    (released ??= creating.then(
      ({ server, features }) => disposeServer(server, features),
      () => undefined,
    ));
}

// Redirects `console.log` to stderr, because the client would read its output on stdout as a message.
function redirectConsoleToStderr(): void {
  globalThis.console = new Console(process.stderr);
}

/** Runs the work while the server object shares its changes on the bus of the options, if any. */
async function withBus(
  { server, compiled, options }: ServerInstance,
  log: Log,
  work: (bus: Bus | undefined) => Promise<void>,
): Promise<void> {
  if (options.bus === undefined) return work(undefined);
  // Loaded only when needed, so that a server without a bus starts faster.
  const { joinBus } = await import('../../bus/join-bus.ts');
  const bus = await joinBus(options.bus, new Map([[compiled.info.name, server]]), log);
  try {
    await work(bus);
  } finally {
    await bus[Symbol.asyncDispose]();
  }
}
