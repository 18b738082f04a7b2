import type { Authenticator } from '../auth/authenticator.ts';
import type { Bus } from '../bus/bus.ts';
import { openAuthenticator } from '../auth/open-authenticator.ts';
import { explainAddressError, isLoopback, isWildcard, parseListenAddress } from '../http-messages/listen-address.ts';
import { openMetrics } from '../info/metrics.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Log } from '../process/log.ts';
import type { Diagnosis } from '../process/server-object.ts';
import { DRAIN_MS, type ShutdownRequest } from '../process/shutdown.ts';
import { UsageError } from '../process/usage-error.ts';
import { StoredSpentSeals } from '../shared-state/stored-spent-seals.ts';
import type { ServerInstance } from '../server/server-instance.ts';
import type { HttpOptions } from './http-options.ts';
import { serveHttp } from './serve-http.ts';

const PATH = '/mcp';

const BASE_URL = /^https?:\/\/[^/]+\/?$/;

/**
 * Serves over HTTP until a signal arrives, then waits for running calls. @throws UsageError if the options cannot be
 * used
 */
export async function serveOverHttp(
  instance: ServerInstance,
  address: string,
  { log, end, bus }: { readonly log: Log; readonly end: ShutdownRequest; readonly bus: Bus | undefined },
): Promise<void> {
  const { server, compiled, factoryOptions, options, information, tools } = instance;
  const httpOptions = readHttpOptions(options, address);
  const authenticator = await openAuthenticator(options, { log, tools });
  const shared = await openSharedState(options, bus, factoryOptions.stateKey);
  const service = await serveHttp(
    { [PATH]: server },
    {
      ...httpOptions,
      grace: DRAIN_MS,
      ...(authenticator !== undefined && { authenticator }),
      ...(options.metrics && { metrics: await openMetrics({ [compiled.info.name]: information }) }),
      ...factoryOptions,
      ...shared,
      onTransportError: (error) => log.warning(error.message),
    },
  ).catch((error: unknown) => {
    const problem = explainAddressError(error);
    throw problem === undefined ? error : new UsageError(`--http ${address}: ${problem}`, { cause: error });
  });
  await warnIfTokensUnchecked(authenticator, log);
  if (authenticator === undefined && !isLoopback(httpOptions.host ?? ''))
    log.warning('other machines can connect without a token');
  log.info(`${compiled.info.name} ${compiled.info.version} serves at ${service.url}${PATH}`);
  await end.requested;
  await service.close(end.repeated);
}

/** Returns the options for sharing the state of clients with other processes. @throws UsageError if the options or the store cannot be used */
async function openSharedState(
  { sharedSessions, peerUrl }: ServerOptions,
  bus: Bus | undefined,
  key: Uint8Array | string | undefined,
): Promise<Pick<HttpOptions, 'sharedSessions' | 'spent'>> {
  if (!sharedSessions) return {};
  if (bus === undefined || key === undefined) throw new UsageError('--shared-sessions requires --bus and --state-key-file');
  if (peerUrl !== undefined && !BASE_URL.test(peerUrl)) throw notBaseUrl('--peer-url', 'http://10.0.0.3:8080', peerUrl);
  const store = bus.sessions;
  const spent = await StoredSpentSeals.open(store).catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--shared-sessions: the server of the bus cannot keep sessions: ${problem}`, { cause: error });
  });
  return { spent, sharedSessions: { store, key, ...(peerUrl !== undefined && { peerUrl: peerUrl.replace(/\/$/, '') }) } };
}

function notBaseUrl(flag: string, example: string, given: string): UsageError {
  return new UsageError(`${flag} must be a URL without a path, such as ${example}, not ${JSON.stringify(given)}`);
}

/** Warns the operator at the start if tokens cannot be verified. */
async function warnIfTokensUnchecked(authenticator: Authenticator | undefined, log: Log): Promise<void> {
  const diagnosis = await authenticator?.diagnose();
  if (diagnosis?.ok === false) log.warning(`${diagnosis.subject}: ${diagnosis.detail}`);
}

/** Returns the lines of `check` about HTTP. @throws UsageError if the options cannot be used */
export async function diagnoseHttp(
  { options, tools }: Pick<ServerInstance, 'options' | 'tools'>,
  log: Pick<Log, 'info' | 'warning'>,
): Promise<readonly Diagnosis[]> {
  const { http } = options;
  if (http !== undefined) readHttpOptions(options, http);
  const authenticator = await openAuthenticator(options, { log, tools });
  return authenticator === undefined ? [] : [await authenticator.diagnose()];
}

/** Converts the options of the process. @throws UsageError if the address or another option cannot be used */
function readHttpOptions(options: ServerOptions, address: string): HttpOptions {
  const { host, port } = parseListenAddress(address);
  const { allowedHosts, allowedOrigins, publicUrl, sse, maxSessions, maxListeners } = options;
  if (isWildcard(host) && allowedHosts === undefined)
    throw new UsageError(
      `--http ${address} listens on all addresses: give the allowed host names with --allowed-hosts (* allows every name)`,
    );
  if (publicUrl !== undefined && !BASE_URL.test(publicUrl)) throw notBaseUrl('--public-url', 'https://example.org', publicUrl);
  return {
    host,
    port,
    ...(allowedHosts !== undefined && { allowedHosts }),
    ...(allowedOrigins !== undefined && { allowedOrigins }),
    ...(publicUrl !== undefined && { publicUrl }),
    sse,
    maxConnections: options.maxHttpConnections,
    maxSessions,
    maxListeners,
    maxBody: options.maxMessage,
    eventBuffer: options.eventBuffer,
    sessionIdle: options.sessionIdle,
    pingInterval: options.pingInterval,
  };
}
