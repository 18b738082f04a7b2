import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { ServerEvent } from '@modelcontextprotocol/server';

import type { Log } from '../log.ts';
import { readMessage, writeMessage, type BusEvent } from './bus-message.ts';
import type { Carrier, Link, Message } from './link.ts';
import { Outbox } from './outbox.ts';
import { Topic } from './topic.ts';

/** Messages sent at once. */
const BATCH = 100;
/** Milliseconds before the first attempt to connect again; twice as many before each later one, until a connection lasts. */
const FIRST_RETRY = 250;
const LAST_RETRY = 15_000;
const LASTING_MS = 30_000;
/** A connection that nobody hears of for so long is tried: some networks drop them without a word. */
const HEARTBEAT_MS = 30_000;

/** How a bus is joined. */
export interface BusOptions {
  /** What messages call it: its URL, without anything secret. */
  readonly name: string;
  readonly log: Log;
  /** Default: 30,000. */
  readonly heartbeatMs?: number;
}

interface Place {
  readonly topic: Topic;
  readonly outbox: Outbox;
}

/**
 * The changes of server objects, shared with other processes that serve the same. Publishing neither waits nor fails: what cannot be
 * sent waits for the connection, and when that was lost, clients are told to look at everything again.
 */
export class Bus implements AsyncDisposable {
  readonly #carrier: Carrier;
  readonly #name: string;
  readonly #log: Log;
  readonly #heartbeatMs: number;
  /** Tells our messages, which come back to us, from those of others. */
  readonly #origin = randomUUID();
  readonly #places: ReadonlyMap<string, Place>;
  readonly #ended = new AbortController();
  #link: Link | undefined;
  #since = 0;
  #retry = FIRST_RETRY;
  #heartbeat: NodeJS.Timeout | undefined;
  #isSending = false;

  private constructor(carrier: Carrier, servers: ReadonlyMap<string, object>, options: BusOptions) {
    this.#carrier = carrier;
    this.#name = options.name;
    this.#log = options.log;
    this.#heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
    this.#places = new Map([...servers].map(([channel, server]) => [channel, this.#placeOf(server)]));
  }

  /** Joins each server object to the channel that it is given under; rejects if the carrier cannot be used now. */
  static async join(carrier: Carrier, servers: ReadonlyMap<string, object>, options: BusOptions): Promise<Bus> {
    const bus = new Bus(carrier, servers, options);
    try {
      await bus.#connect();
      return bus;
    } catch (error) {
      await bus[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Leaves the bus; what waits to be sent is dropped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    for (const { topic } of this.#places.values()) topic[Symbol.dispose]();
    const link = this.#detach();
    await link?.[Symbol.asyncDispose]();
  }

  #placeOf(server: object): Place {
    const outbox = new Outbox(this.#write({ kind: 'everything_changed' }));
    const send = (event: ServerEvent): void => this.#post(outbox, event);
    const onError = (error: unknown): void => this.#log.error('a listener failed to hear of another process', error);
    return { outbox, topic: new Topic(server, { send, onError }) };
  }

  async #connect(): Promise<void> {
    const link = await this.#carrier.connect([...this.#places.keys()], (message) => this.#receive(message));
    if (this.#ended.signal.aborted) return link[Symbol.asyncDispose]();
    this.#link = link;
    this.#since = performance.now();
    const lose = (error: unknown): void => this.#lose(link, error);
    link.lost.then(lose, lose);
    this.#heartbeat = setInterval(() => void link.ping().catch(lose), this.#heartbeatMs).unref();
    void this.#send();
  }

  #lose(link: Link, error: unknown): void {
    if (this.#link !== link) return;
    this.#log.warning(`the bus ${this.#name} is lost, other processes are not heard until it is back: ${messageOf(error)}`);
    this.#detach();
    link[Symbol.asyncDispose]().catch((failure: unknown) => this.#log.debug(`the lost bus: ${messageOf(failure)}`));
    if (performance.now() - this.#since > LASTING_MS) this.#retry = FIRST_RETRY;
    void this.#reconnect();
  }

  #detach(): Link | undefined {
    const link = this.#link;
    this.#link = undefined;
    clearInterval(this.#heartbeat);
    return link;
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#ended;
    do {
      // Processes that lost it together do not come back together.
      const wait = this.#retry * (0.5 + Math.random() / 2);
      this.#retry = Math.min(2 * this.#retry, LAST_RETRY);
      await pause(wait, undefined, { ref: false, signal }).catch(() => undefined);
    } while (!signal.aborted && !(await this.#isBack()));
  }

  async #isBack(): Promise<boolean> {
    try {
      await this.#connect();
    } catch (error) {
      this.#log.debug(`the bus ${this.#name} is not back: ${messageOf(error)}`);
      return false;
    }
    if (this.#ended.signal.aborted) return true;
    this.#log.info(`the bus ${this.#name} is back`);
    for (const { topic } of this.#places.values()) topic.receive({ kind: 'everything_changed' });
    return true;
  }

  #receive({ channel, payload }: Message): void {
    const message = readMessage(payload);
    if (message === undefined) this.#log.debug(`something else than a message came by the bus, on ${channel}`);
    else if (message.origin !== this.#origin) this.#places.get(channel)?.topic.receive(message.event);
  }

  #post(outbox: Outbox, event: ServerEvent): void {
    const payload = this.#write(event);
    const size = Buffer.byteLength(payload);
    if (size > this.#carrier.maxPayload) {
      this.#log.warning(`other processes are not told of a change: its URI is too long for the bus (${size} bytes in all)`);
      return;
    }
    outbox.add(payload);
    void this.#send();
  }

  #write(event: BusEvent): string {
    return writeMessage({ origin: this.#origin, event });
  }

  /** Sends all that waits, while there is a link. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#link !== undefined) {
      const messages = this.#take();
      if (messages.length === 0) break;
      await this.#sendBy(this.#link, messages);
    }
    this.#isSending = false;
  }

  async #sendBy(link: Link, messages: readonly Message[]): Promise<void> {
    try {
      await link.publish(messages);
    } catch (error) {
      // Told twice is better than not at all.
      for (const { channel, payload } of messages) this.#places.get(channel)?.outbox.add(payload);
      this.#lose(link, error);
    }
  }

  #take(): readonly Message[] {
    return [...this.#places].flatMap(([channel, { outbox }]) => outbox.take(BATCH).map((payload) => ({ channel, payload })));
  }
}

/** Without a stack: it would say nothing of a connection that ended. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
