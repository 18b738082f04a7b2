import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { UsageError } from '../process/usage-error.ts';
import type { Gauges, ServerInformation } from './server-information.ts';

/** The page of `GET /metrics`, for Prometheus. */
export interface MetricsPage {
  readonly contentType: string;
  /** Resolves to the current text of the page. */
  read(): Promise<string>;
}

type PromClient = typeof import('prom-client');

type Called = 'server' | 'kind' | 'name';

interface Meters {
  readonly calls: Counter<Called | 'outcome'>;
  readonly durations: Histogram<Called>;
  readonly inFlight: Gauge<'server'>;
  /** State of the transports. */
  readonly gauges: Readonly<Record<Exclude<keyof Gauges, 'refused'>, Gauge<'server'>>>;
  readonly refused: Counter<'server' | 'reason'>;
}

/** Upper bounds of the buckets in seconds: from results in memory to calls that wait for a person. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

/**
 * Starts collecting metrics of the process and of each server; the keys of `servers` become the label `server`.
 *
 * All label values are names and error codes from the servers, or reasons from the host; none comes from a client.
 *
 * @throws UsageError if prom-client is not installed
 */
export async function openMetrics(servers: Readonly<Record<string, ServerInformation>>): Promise<MetricsPage> {
  const client = await promClient();
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const meters = createMeters(client, registry);
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
    throw new UsageError('--metrics requires the package prom-client: npm install prom-client', { cause: error });
  }
}

function createMeters(client: PromClient, registry: Registry): Meters {
  const registers = [registry];
  const labelNames: Called[] = ['server', 'kind', 'name'];
  const gauge = (name: string, help: string): Gauge<'server'> =>
    new client.Gauge({ name: `mcp_${name}`, help, labelNames: ['server'], registers });
  return {
    calls: new client.Counter({
      name: 'mcp_calls_total',
      help: 'Calls that ended, by outcome: ok, asked (the call requested input from the client), cancelled, or the code of the error',
      labelNames: [...labelNames, 'outcome'],
      registers,
    }),
    durations: new client.Histogram({
      name: 'mcp_call_duration_seconds',
      help: 'Duration of calls; in a session, including the time for requests to the client',
      labelNames,
      buckets: BUCKETS,
      registers,
    }),
    inFlight: gauge('calls_in_flight', 'Calls in progress'),
    gauges: {
      connections: gauge('connections', 'Open connections'),
      sessions: gauge('sessions', 'Open sessions'),
      listenStreams: gauge('listen_streams', 'Open streams for change notifications'),
      storedEvents: gauge('stored_events', 'Messages kept for clients that may reconnect'),
    },
    refused: new client.Counter({
      name: 'mcp_refused_requests_total',
      help: 'Requests that were rejected before a call started, by reason',
      labelNames: ['server', 'reason'],
      registers,
    }),
  };
}

/** Updates the metrics that are read from the servers, not counted by calls. */
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
