import { RequestContext, Resource, type CallLimits, type CompiledServer } from '@org/mcp-decorators';

import type { ServerObject } from '../server-object.ts';
import { Diagnosing } from './diagnosing.ts';
import type { Gauges } from './gauges.ts';
import { Statistics } from './statistics.ts';

/** What a server tells of itself comes from here. */
export interface InformationSources {
  readonly server: ServerObject;
  readonly compiled: CompiledServer;
  /** Options in force, without secrets. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Told why a server could not diagnose itself. */
  readonly onError: (error: unknown, place: string) => void;
}

const URI = 'server://info';

/** A feature of every server that runs as a process: what a person asks first when something is wrong. */
export class ServerInformation {
  readonly statistics: Statistics = new Statistics();
  readonly #sources: InformationSources;
  readonly #diagnosing: Diagnosing;
  readonly #began = performance.now();
  #gauges: () => Gauges = () => ({});

  constructor(sources: InformationSources) {
    const { server, onError } = sources;
    this.#sources = sources;
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
    uri: URI,
    name: 'server_info',
    title: 'Server information',
    description: 'How this server is doing: what is wrong, limits in force, counts of calls and errors',
    mimeType: 'application/json',
  })
  async info(context: RequestContext): Promise<string> {
    const { compiled, settings } = this.#sources;
    const { inFlight, failed, calls } = this.statistics;
    const told = {
      name: compiled.info.name,
      version: compiled.info.version,
      uptimeSeconds: Math.round((performance.now() - this.#began) / 1000),
      protocolVersion: context.protocolVersion,
      transport: context.http === undefined ? 'stdio' : 'http',
      diagnosis: await this.#diagnosing.read(),
      options: settings,
      limits: limitsOf(compiled),
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
