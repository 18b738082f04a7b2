import { ToolError } from '@org/mcp-decorators';
import { UsageError } from '@org/mcp-host';
import type { ClientConfig } from 'pg';

import { locateNative } from './embedded/binaries.ts';
import { EmbeddedPostgres, type EmbeddedOptions } from './embedded/embedded-postgres.ts';

/** Where the database is. */
export interface Source extends AsyncDisposable {
  /** The server is ours, and so is the role. */
  readonly embedded: boolean;
  /** How to connect; resolves once there is a server to connect to. */
  config(): Promise<ClientConfig>;
  /** As whom to write, where that is somebody else. */
  readonly writer?: Source;
}

/** Throws a `UsageError` for what is not a connection URL; its password is never repeated. */
export function urlSource(url: string): Source {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url.replace('@/', '@socket/')))
    throw new UsageError('the connection URL cannot be used: postgres://user:password@host:port/database is expected');
  const config: ClientConfig = { connectionString: url };
  return {
    embedded: false,
    config: () => Promise.resolve(config),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/**
 * Starts the embedded server in the background: a client gets its answer to `initialize` meanwhile.
 *
 * Throws a `UsageError` where there are no binaries for this platform.
 */
export function embeddedSource(options: Omit<EmbeddedOptions, 'native'>): Source {
  const starting = EmbeddedPostgres.start({ native: locateNative(), ...options });
  // Whoever asks for the configuration is told; nobody may ask.
  starting.catch(() => undefined);
  const started = (): Promise<EmbeddedPostgres> => starting.catch(notStarted);
  const writer = {
    embedded: true,
    config: async () => (await started()).writer,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return {
    embedded: true,
    config: async () => (await started()).reader,
    writer,
    [Symbol.asyncDispose]: () =>
      starting.then(
        (embedded) => embedded[Symbol.asyncDispose](),
        () => undefined,
      ),
  };
}

function notStarted(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ToolError('CONNECTION', `the embedded PostgreSQL did not start: ${reason}`, { cause: error });
}
