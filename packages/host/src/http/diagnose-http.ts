import { authenticatorOf } from '../auth/authenticator-of.ts';
import type { Log } from '../log.ts';
import type { Diagnosis } from '../server-object.ts';
import type { ServerOptions } from '../server-options.ts';
import { httpOptionsOf } from './http-options-of.ts';

/** What can be said of serving over HTTP before anything is served. @throws UsageError if the options cannot be used */
export async function diagnoseHttp(options: ServerOptions, log: Pick<Log, 'info' | 'warning'>): Promise<readonly Diagnosis[]> {
  const { http } = options;
  if (http !== undefined) httpOptionsOf(options, http);
  const authenticator = await authenticatorOf(options, log);
  return authenticator === undefined ? [] : [await authenticator.diagnose()];
}
