import type { ConnectionOptions } from 'node:tls';

import { ToolError } from '@org/mcp-decorators';
import type { ClientConfig } from 'pg';

import { warmParser } from '../policy/parser.ts';
import { readConnectionUrl } from './connection-url.ts';
import { locateNative } from './embedded/binaries.ts';
import { EmbeddedPostgres, type EmbeddedOptions } from './embedded/embedded-postgres.ts';
import { takeBegun } from './embedded/head-start.ts';
import { Quiet } from './embedded/quiet.ts';
import { loadPg } from './load-pg.ts';
import { passwordOf } from './passwords.ts';
import { exposureOf, refusesTls, tlsModeOf, tlsOf } from './tls.ts';
import { ambientVariables, type Variables } from './variables.ts';

/** Where the database is. */
export interface Source extends AsyncDisposable {
  /** The server is ours, and so is the role. */
  readonly embedded: boolean;
  /** The name of the database on its server. */
  readonly database: string;
  /** Warning about a risk from the network, with its remedy; absent if there is no risk. */
  readonly exposure?: string | undefined;
  /** How to connect; resolves once there is a server to connect to. */
  config(): Promise<ClientConfig>;
  /**
   * Told how connecting failed. `true`: `config` has another way, to be tried at once; `false`: another one for the next time;
   * `undefined`: none.
   */
  retries?(error: unknown): boolean | undefined;
  /** Told that a call has ended: what nobody waits for may begin. */
  answered?(): void;
  /** As whom to write, where that is somebody else. */
  readonly writer?: Source;
}

/** How a database of others is connected to. */
export interface UrlSourceOptions {
  readonly url: string;
  readonly passwordFile?: string | undefined;
  /** Default: those of the process. */
  readonly variables?: Variables;
}

/** Throws a `UsageError` for what is not a connection URL; its password is never repeated. */
export function urlSource({ url, passwordFile, variables = ambientVariables() }: UrlSourceOptions): Source {
  const target = readConnectionUrl(url, variables);
  const mode = tlsModeOf(target);
  const { host, port, user, database, parameters } = target;
  let tls: Promise<false | ConnectionOptions> | undefined;
  let isEncrypted = false;
  let isFallback = false;
  return {
    embedded: false,
    database,
    exposure: exposureOf(target),
    config: async () => {
      tls ??= tlsOf(target);
      // What could not be found out is asked for again.
      tls.catch(() => (tls = undefined));
      const ssl = await tls;
      isEncrypted = ssl !== false;
      return {
        host,
        port,
        user,
        database,
        password: () => passwordOf(target, { passwordFile, variables }),
        ssl,
        enableChannelBinding: parameters.channel_binding !== 'disable',
        ...(parameters.options !== undefined && { options: parameters.options }),
        ...(parameters.application_name !== undefined && { application_name: parameters.application_name }),
      };
    },
    retries: (error) => {
      if (mode !== 'prefer' || !(isEncrypted || isFallback) || !refusesTls(error)) return undefined;
      // What failed in clear too begins with TLS the next time.
      isFallback = !isFallback;
      tls = isFallback ? Promise.resolve(false) : undefined;
      return isFallback;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/**
 * Starts the embedded server in the background: a client gets its answer to `initialize` meanwhile.
 *
 * Throws a `UsageError` where there are no binaries for this platform.
 */
export function embeddedSource(options: Omit<EmbeddedOptions, 'native'>): Source {
  const launched = takeBegun(options);
  const quiet = new Quiet();
  const starting = EmbeddedPostgres.start({ native: locateNative(), launched, quiet, ...options });
  // Whoever asks for the configuration is told; nobody may ask.
  starting.catch(() => undefined);
  const started = (): Promise<EmbeddedPostgres> => starting.catch(notStarted);
  const warming = setTimeout(warm, WARM_AFTER_MS).unref();
  const writer = {
    embedded: true,
    database: 'postgres',
    config: async () => ({ ...(await started()).writer, ssl: false }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return {
    embedded: true,
    database: 'postgres',
    config: async () => ({ ...(await started()).reader, ssl: false }),
    writer,
    answered: () => quiet.reach(),
    [Symbol.asyncDispose]: () => {
      clearTimeout(warming);
      return starting.then(
        (embedded) => embedded[Symbol.asyncDispose](),
        () => undefined,
      );
    },
  };
}

/** The client has its answer to `initialize` by then, and initdb works for as long again. */
const WARM_AFTER_MS = 60;

// While the server is being made, this process has nothing to do; the first query has all of this to wait for.
function warm(): void {
  for (const loading of [loadPg(), warmParser()]) loading.catch(() => undefined);
}

function notStarted(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ToolError('CONNECTION', `the embedded PostgreSQL did not start: ${reason}`, { cause: error });
}
