import type { Log } from '../log.ts';
import { UsageError } from '../usage-error.ts';
import { Bus } from './bus.ts';
import type { Carrier } from './link.ts';
import { postgresCarrier } from './postgres-carrier.ts';
import { redisCarrier } from './redis-carrier.ts';

const CARRIERS: Readonly<Record<string, (url: string) => Carrier>> = {
  postgres: postgresCarrier,
  postgresql: postgresCarrier,
  redis: redisCarrier,
  rediss: redisCarrier,
};

/**
 * Shares the changes of server objects with all processes that join them by the same URL under the same name: the channel is
 * `mcp:<name>`. Resolves when changes elsewhere are heard; disposing of the result leaves.
 *
 * @throws UsageError if the URL is of no known kind or nothing usable answers there
 */
export async function joinBus(url: string, servers: ReadonlyMap<string, object>, log: Log): Promise<AsyncDisposable> {
  const carrier = carrierOf(url);
  const name = withoutSecrets(url);
  const channels = new Map([...servers].map(([server, object]) => [`mcp:${server}`, object]));
  try {
    return await Bus.join(carrier, channels, { name, log });
  } catch (error) {
    throw new UsageError(explain(error, name, carrier), { cause: error });
  }
}

function carrierOf(url: string): Carrier {
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):\/\//i.exec(url)?.[1]?.toLowerCase() ?? '';
  const carrier = Object.hasOwn(CARRIERS, scheme) ? CARRIERS[scheme] : undefined;
  if (carrier !== undefined) return carrier(url);
  const given = scheme === '' ? 'that is no URL' : `not ${scheme}://`;
  throw new UsageError(`a bus is given as postgres://… or redis://… (rediss://… for TLS); ${given}`);
}

/** Neither the user and password, which end at the last @, nor parameters, among which there may be others. */
function withoutSecrets(url: string): string {
  const start = url.indexOf('//') + 2;
  const end = url.lastIndexOf('@') + 1;
  const [shown = ''] = (end > start && start > 1 ? url.slice(0, start) + url.slice(end) : url).split(/[?#]/, 1);
  return shown;
}

function explain(error: unknown, name: string, { package: library }: Carrier): string {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    return `the bus ${name} needs the package ${library}: npm install ${library}`;
  return `the bus ${name} cannot be used: ${error instanceof Error ? error.message || String(error) : String(error)}`;
}
