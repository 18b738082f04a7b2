import { compileServer, RequestContext, Resource, type CallLimits, type CompiledServer } from '@org/mcp-decorators';

import { Diagnosing } from './diagnosing.ts';
import type { Gauges } from './gauges.ts';
import { Statistics } from './statistics.ts';

/** What a server tells of itself comes from here. */
export interface InformationSources {
  /** May implement `diagnose()`. */
  readonly server: object;
  /** Options in force, without secrets. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Told why a server could not diagnose itself. */
  readonly onError: (error: unknown, place: string) => void;
}

/** A feature of every server that runs as a process: what a person asks first when something is wrong. */
export class ServerInformation {
  readonly statistics: Statistics = new Statistics();
  readonly #compiled: CompiledServer;
  readonly #settings: InformationSources['settings'];
  readonly #diagnosing: Diagnosing;
  readonly #began = performance.now();
  #gauges: () => Gauges = () => ({});

  constructor({ server, settings, onError }: InformationSources) {
    this.#compiled = compileServer(server);
    this.#settings = settings;
    this.#diagnosing = new Diagnosing(server, (error) => onError(error, `${server.constructor.name}.diagnose`));
  }

  /** What the transport of the process says now. */
  get gauges(): Gauges {
    return this.#gauges();
  }

  /** From now on the transport is asked for its gauges by this. */
  readGaugesBy(read: () => Gauges): void {
    this.#gauges = read;
  }

  @Resource({
    uri: 'server://info',
    name: 'server_info',
    title: 'Server information',
    description: 'How this server is doing: what is wrong, limits in force, counts of calls and errors',
    mimeType: 'application/json',
  })
  async info(context: RequestContext): Promise<string> {
    const { info } = this.#compiled;
    const { inFlight, failed, calls } = this.statistics;
    const told = {
      name: info.name,
      version: info.version,
      uptimeSeconds: Math.round((performance.now() - this.#began) / 1000),
      protocolVersion: context.protocolVersion,
      transport: context.http === undefined ? 'stdio' : 'http',
      diagnosis: await this.#diagnosing.read(),
      options: this.#settings,
      limits: limitsOf(this.#compiled),
      calls: { inFlight, failed, ...calls },
      ...this.gauges,
      rssBytes: process.memoryUsage.rss(),
      node: process.version,
    };
    return JSON.stringify(told, undefined, 2);
  }
}

/** Of the tools that have some. */
function limitsOf({ tools }: CompiledServer): Readonly<Record<string, CallLimits>> {
  const limited = [...tools].filter(([, { limits }]) => Object.keys(limits).length > 0);
  return Object.fromEntries(limited.map(([name, { limits }]) => [name, limits]));
}
