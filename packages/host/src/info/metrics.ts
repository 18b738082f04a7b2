import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { UsageError } from '../usage-error.ts';
import type { Gauges } from './gauges.ts';
import type { ServerInformation } from './server-information.ts';

/** The page of `GET /metrics`, for Prometheus. */
export interface MetricsPage {
  readonly contentType: string;
  /** Its text, as of now. */
  read(): Promise<string>;
}

type PromClient = typeof import('prom-client');

type Called = 'server' | 'kind' | 'name';

interface Meters {
  readonly calls: Counter<Called | 'outcome'>;
  readonly durations: Histogram<Called>;
  readonly inFlight: Gauge<'server'>;
  /** What transports tell. */
  readonly gauges: Readonly<Record<Exclude<keyof Gauges, 'refused'>, Gauge<'server'>>>;
  readonly refused: Counter<'server' | 'reason'>;
}

/** Seconds: from what is answered from memory to what a person is asked for. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

/**
 * Begins to measure servers, each by a name of its own, and the process.
 *
 * Labels are names that the servers have, codes of their errors and words of the host: nothing that a client made up.
 *
 * @throws UsageError if prom-client is not installed
 */
export async function openMetrics(servers: Readonly<Record<string, ServerInformation>>): Promise<MetricsPage> {
  const client = await promClient();
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const meters = metersOf(client, registry);
  for (const [server, { statistics }] of Object.entries(servers)) {
    statistics.listen(({ kind, name }, outcome, seconds) => {
      meters.calls.inc({ server, kind, name, outcome });
      meters.durations.observe({ server, kind, name }, seconds);
    });
  }
  return {
    contentType: registry.contentType,
    read: () => {
      refresh(meters, servers);
      return registry.metrics();
    },
  };
}

async function promClient(): Promise<PromClient> {
  try {
    return await import('prom-client');
  } catch (error) {
    throw new UsageError('--metrics needs the package prom-client: npm install prom-client', { cause: error });
  }
}

function metersOf(client: PromClient, registry: Registry): Meters {
  const registers = [registry];
  const labelNames: Called[] = ['server', 'kind', 'name'];
  const gauge = (name: string, help: string): Gauge<'server'> =>
    new client.Gauge({ name: `mcp_${name}`, help, labelNames: ['server'], registers });
  return {
    calls: new client.Counter({
      name: 'mcp_calls_total',
      help: 'Calls that ended, by outcome: ok, asked, cancelled, or the code of the error',
      labelNames: [...labelNames, 'outcome'],
      registers,
    }),
    durations: new client.Histogram({
      name: 'mcp_call_duration_seconds',
      help: 'How long calls took; in a session, with the time in which its client was asked',
      labelNames,
      buckets: BUCKETS,
      registers,
    }),
    inFlight: gauge('calls_in_flight', 'Calls that have not ended'),
    gauges: {
      connections: gauge('connections', 'Open connections'),
      sessions: gauge('sessions', 'Sessions that have not ended'),
      listenStreams: gauge('listen_streams', 'Open streams on which clients are told of changes'),
      storedEvents: gauge('stored_events', 'Messages kept for clients that may come back for them'),
    },
    refused: new client.Counter({
      name: 'mcp_refused_requests_total',
      help: 'Requests that were refused before a call came of them, by reason',
      labelNames: ['server', 'reason'],
      registers,
    }),
  };
}

/** What is not counted by calls is asked for when the page is read. */
function refresh(meters: Meters, servers: Readonly<Record<string, ServerInformation>>): void {
  meters.refused.reset();
  for (const [server, { statistics, gauges }] of Object.entries(servers)) {
    const { refused = {}, ...values } = gauges;
    meters.inFlight.set({ server }, statistics.inFlight);
    for (const [name, gauge] of Object.entries(meters.gauges)) {
      const value: unknown = Reflect.get(values, name);
      if (typeof value === 'number') gauge.set({ server }, value);
    }
    for (const [reason, count] of Object.entries(refused)) meters.refused.inc({ server, reason }, count);
  }
}
