import { ToolError } from '@org/mcp-decorators';

import { warmParser } from '../../policy/parse/parser.ts';
import type { Source } from '../connect/source.ts';
import { loadPg } from '../protocol/load-pg.ts';
import { locateNative } from './binaries.ts';
import { EmbeddedPostgres, type EmbeddedOptions } from './embedded-postgres.ts';
import { takeEarlyStart } from './early-start.ts';
import { IdleMoment } from './idle-moment.ts';

/** Name of the database that an embedded server serves, which is also its id. */
export const EMBEDDED_DATABASE = 'postgres';

/**
 * Starts the embedded server in the background, so that the answer to `initialize` does not wait.
 *
 * Throws a `UsageError` if no binaries exist for this platform.
 */
export function embeddedSource(options: Omit<EmbeddedOptions, 'native'>): Source {
  const launched = takeEarlyStart(options);
  const idleMoment = new IdleMoment();
  const starting = EmbeddedPostgres.start({ native: locateNative(), launched, idleMoment, ...options });
  // Callers of `config` receive the error. Without a caller, the rejection would be unhandled.
  starting.catch(() => undefined);
  const started = (): Promise<EmbeddedPostgres> => starting.catch(notStarted);
  const warming = setTimeout(warm, WARM_AFTER_MS).unref();
  const writer = {
    embedded: true,
    database: EMBEDDED_DATABASE,
    config: async () => ({ ...(await started()).writer, ssl: false }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return {
    embedded: true,
    database: EMBEDDED_DATABASE,
    config: async () => ({ ...(await started()).reader, ssl: false }),
    writer,
    onCallEnd: () => idleMoment.reach(),
    [Symbol.asyncDispose]: () => {
      clearTimeout(warming);
      return starting.then(
        (embedded) => embedded[Symbol.asyncDispose](),
        () => undefined,
      );
    },
  };
}

/** Pause after the start, sufficient to answer `initialize`. initdb takes about twice this time. */
const WARM_AFTER_MS = 60;

// This process is idle while the embedded server starts, and the first query needs these modules.
function warm(): void {
  for (const loading of [loadPg(), warmParser()]) loading.catch(() => undefined);
}

function notStarted(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ToolError('CONNECTION', `the embedded PostgreSQL did not start: ${reason}`, { cause: error });
}
