import { ChangeBus, Subscriptions } from '@org/mcp-decorators';
import type { ServerEvent } from '@modelcontextprotocol/server';

import { joinBus } from '../../src/bus/join-bus.ts';
import { Log } from '../../src/process/log.ts';

/** A server object of one process, which can watch every resource, and the events that its listeners received. */
export class Joined implements AsyncDisposable {
  readonly heard: string[] = [];
  readonly lines: string[] = [];
  readonly log: Log = new Log({ level: 'debug', format: 'text', write: (line) => this.lines.push(line) });
  readonly #owner = {};
  #bus: AsyncDisposable | undefined;

  constructor() {
    ChangeBus.of(this).subscribe((event) => this.heard.push(nameOf(event)));
  }

  /** Joins the bus at a URL with a new server object, as another process would. */
  static async by(url: string): Promise<Joined> {
    const joined = new Joined();
    joined.#bus = await joinBus(url, new Map([['notes', joined]]), joined.log);
    return joined;
  }

  watch(): Promise<AsyncDisposable> {
    return Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() });
  }

  async listenTo(...uris: readonly string[]): Promise<void> {
    await Promise.all(uris.map(async (uri) => Subscriptions.of(this)?.add(uri, this.#owner)));
  }

  publish(...events: readonly ServerEvent[]): void {
    for (const event of events) ChangeBus.of(this).publish(event);
  }

  logged(): string {
    return this.lines.join('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bus?.[Symbol.asyncDispose]();
  }
}

export const TOOLS: ServerEvent = { kind: 'tools_list_changed' };
export const PROMPTS: ServerEvent = { kind: 'prompts_list_changed' };
/** Events that clients receive if they may have missed changes. */
export const ALL_LISTS: readonly string[] = ['tools_list_changed', 'prompts_list_changed', 'resources_list_changed'];

export function updated(uri: string): ServerEvent {
  return { kind: 'resource_updated', uri };
}

function nameOf(event: ServerEvent): string {
  return event.kind === 'resource_updated' ? event.uri : event.kind;
}
