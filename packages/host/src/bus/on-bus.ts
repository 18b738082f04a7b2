import type { Created } from '../created.ts';
import type { Log } from '../log.ts';

/** Does work while the server object shares its changes by the bus that the options name, if they name one. */
export async function onBus({ server, compiled, options }: Created, log: Log, work: () => Promise<void>): Promise<void> {
  if (options.bus === undefined) return work();
  // A server without one starts without it.
  const { joinBus } = await import('./join-bus.ts');
  const bus = await joinBus(options.bus, new Map([[compiled.info.name, server]]), log);
  try {
    await work();
  } finally {
    await bus[Symbol.asyncDispose]();
  }
}
