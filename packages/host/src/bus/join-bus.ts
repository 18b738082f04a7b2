import type { Log } from '../process/log.ts';
import { UsageError } from '../process/usage-error.ts';
import { Bus } from './bus.ts';
import type { Carrier } from './carrier.ts';
import { postgresCarrier } from './postgres-carrier.ts';
import { redisCarrier } from './redis-carrier.ts';

const CARRIERS: Readonly<Record<string, (url: string) => Carrier>> = {
  postgres: postgresCarrier,
  postgresql: postgresCarrier,
  redis: redisCarrier,
  rediss: redisCarrier,
};

/**
 * Shares the changes of server objects with all processes that use the same URL and the same name. The channel is
 * `mcp:<name>`. After the promise has resolved, changes of other processes are received. Disposing of the result leaves
 * the bus.
 *
 * @throws UsageError if the URL is not supported or the server cannot be used
 */
export async function joinBus(url: string, servers: ReadonlyMap<string, object>, log: Log): Promise<Bus> {
  const carrier = findCarrier(url);
  const name = removeSecrets(url);
  const channels = new Map([...servers].map(([server, object]) => [`mcp:${server}`, object]));
  try {
    return await Bus.join(carrier, channels, { name, log });
  } catch (error) {
    throw new UsageError(explainJoinError(error, name, carrier), { cause: error });
  }
}

function findCarrier(url: string): Carrier {
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):\/\//i.exec(url)?.[1]?.toLowerCase() ?? '';
  const carrier = Object.hasOwn(CARRIERS, scheme) ? CARRIERS[scheme] : undefined;
  if (carrier !== undefined) return carrier(url);
  const given = scheme === '' ? 'this is not a valid URL' : `not ${scheme}://`;
  throw new UsageError(`the URL of a bus begins with postgres:// or redis:// (rediss:// for TLS); ${given}`);
}

/** Removes the user and password, which end at the last @, and the parameters, which may contain secrets too. */
function removeSecrets(url: string): string {
  const start = url.indexOf('//') + 2;
  const end = url.lastIndexOf('@') + 1;
  const [shown = ''] = (end > start && start > 1 ? url.slice(0, start) + url.slice(end) : url).split(/[?#]/, 1);
  return shown;
}

function explainJoinError(error: unknown, name: string, { package: library }: Carrier): string {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
    return `the bus ${name} requires the package ${library}: npm install ${library}`;
  return `the bus ${name} cannot be used: ${error instanceof Error ? error.message || String(error) : String(error)}`;
}
