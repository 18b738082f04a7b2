import type { Authenticator } from '../auth/authenticator.ts';
import { authenticatorOf } from '../auth/authenticator-of.ts';
import type { Created } from '../created.ts';
import { openMetrics } from '../info/metrics.ts';
import type { Log } from '../log.ts';
import { DRAIN_MS, type EndRequest } from '../shutdown.ts';
import { UsageError } from '../usage-error.ts';
import { httpOptionsOf } from './http-options-of.ts';
import { addressProblem, isLoopback } from './listen-address.ts';
import { serveHttp } from './serve-http.ts';

const PATH = '/mcp';

/** Serves until the end is asked for, then lets the calls under way finish. @throws UsageError where the options cannot be used */
export async function serveOverHttp(
  created: Created,
  address: string,
  { log, end }: { readonly log: Log; readonly end: EndRequest },
): Promise<void> {
  const { server, compiled, serving, options, information } = created;
  const httpOptions = httpOptionsOf(options, address);
  const authenticator = await authenticatorOf(options, log);
  const service = await serveHttp(
    { [PATH]: server },
    {
      ...httpOptions,
      grace: DRAIN_MS,
      ...(authenticator !== undefined && { authenticator }),
      ...(options.metrics && { metrics: await openMetrics({ [compiled.info.name]: information }) }),
      ...serving,
      onTransportError: (error) => log.warning(error.message),
    },
  ).catch((error: unknown) => {
    const problem = addressProblem(error);
    throw problem === undefined ? error : new UsageError(`--http ${address}: ${problem}`, { cause: error });
  });
  await warnOfTokens(authenticator, log);
  if (authenticator === undefined && !isLoopback(httpOptions.host ?? ''))
    log.warning('other machines can connect, and nobody is asked for a token');
  log.info(`${compiled.info.name} ${compiled.info.version} serves at ${service.url}${PATH}`);
  await end.requested;
  await service.close(end.repeated);
}

/** Whoever cannot have tokens checked learns it at the start. */
async function warnOfTokens(authenticator: Authenticator | undefined, log: Log): Promise<void> {
  const diagnosis = await authenticator?.diagnose();
  if (diagnosis?.ok === false) log.warning(`${diagnosis.subject}: ${diagnosis.detail}`);
}
