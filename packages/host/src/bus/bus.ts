import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { ServerEvent } from '@modelcontextprotocol/server';

import type { Log } from '../process/log.ts';
import type { SessionStore } from '../shared-state/session-store.ts';
import { parseMessage, formatMessage, type BusEvent } from './bus-message.ts';
import type { Carrier, Link, Message } from './carrier.ts';
import { Topic } from './topic.ts';

/** Maximum number of messages of one channel in one call of `Link.publish`. */
const BATCH = 100;
/** Maximum wait in milliseconds before the first attempt to reconnect; doubles with each attempt. */
const FIRST_RETRY = 250;
/** Limit of the doubled wait in milliseconds. */
const LAST_RETRY = 15_000;
/** Milliseconds after which a connection counts as stable, so that the next wait begins at `FIRST_RETRY` again. */
const LASTING_MS = 30_000;
/** Interval of pings in milliseconds. Pings are necessary because some networks drop connections silently. */
const HEARTBEAT_MS = 30_000;

/** Options for joining a bus. */
export interface BusOptions {
  /** Name for log messages: the URL without secrets. */
  readonly name: string;
  readonly log: Log;
  /** Interval of pings in milliseconds. Default: 30,000. */
  readonly heartbeatMs?: number;
}

/** A server object on the bus. */
interface Channel {
  readonly topic: Topic;
  readonly outbox: Outbox;
}

/**
 * Shares the changes of server objects with other processes that serve the same objects. Publishing neither waits nor fails:
 * messages wait for the connection. When a lost connection is restored, clients are notified that everything may have changed.
 */
export class Bus implements AsyncDisposable {
  readonly #carrier: Carrier;
  readonly #name: string;
  readonly #log: Log;
  readonly #heartbeatMs: number;
  /** Identifies the messages of this process, which the bus also delivers to this process. */
  readonly #origin = randomUUID();
  readonly #channels: ReadonlyMap<string, Channel>;
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
    this.#channels = new Map([...servers].map(([channel, server]) => [channel, this.#createChannel(server)]));
  }

  /** Joins each server object to the channel that is its key. Rejects if the carrier is not available. */
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

  /** Stores the data of sessions on the server of the bus. Its methods reject while the bus is not connected. */
  readonly sessions: SessionStore = {
    read: async (key) => await this.#connected.sessions.read(key),
    replace: async (key, change) => await this.#connected.sessions.replace(key, change),
  };

  /** Leaves the bus and drops the waiting messages. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    for (const { topic } of this.#channels.values()) topic[Symbol.dispose]();
    const link = this.#detach();
    await link?.[Symbol.asyncDispose]();
  }

  get #connected(): Link {
    if (this.#link === undefined) throw new Error(`the bus ${this.#name} is not connected`);
    return this.#link;
  }

  #createChannel(server: object): Channel {
    const outbox = new Outbox(this.#format({ kind: 'everything_changed' }));
    const send = (event: ServerEvent): void => this.#post(outbox, event);
    const onError = (error: unknown): void => this.#log.error('a listener failed to handle a change from another process', error);
    return { outbox, topic: new Topic(server, { send, onError }) };
  }

  async #connect(): Promise<void> {
    const link = await this.#carrier.connect([...this.#channels.keys()], (message) => this.#receive(message));
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
    this.#log.warning(
      `lost the connection to the bus ${this.#name}; changes from other processes are missed until the connection is restored: ${getMessage(error)}`,
    );
    this.#detach();
    link[Symbol.asyncDispose]().catch((failure: unknown) =>
      this.#log.debug(`closing the lost bus connection failed: ${getMessage(failure)}`),
    );
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
      // The random factor keeps processes that lost the connection together from reconnecting at the same time.
      const wait = this.#retry * (0.5 + Math.random() / 2);
      this.#retry = Math.min(2 * this.#retry, LAST_RETRY);
      await pause(wait, undefined, { ref: false, signal }).catch(() => undefined);
    } while (!signal.aborted && !(await this.#tryConnect()));
  }

  async #tryConnect(): Promise<boolean> {
    try {
      await this.#connect();
    } catch (error) {
      this.#log.debug(`reconnecting to the bus ${this.#name} failed: ${getMessage(error)}`);
      return false;
    }
    if (this.#ended.signal.aborted) return true;
    this.#log.info(`the connection to the bus ${this.#name} is restored`);
    for (const { topic } of this.#channels.values()) topic.receive({ kind: 'everything_changed' });
    return true;
  }

  #receive({ channel, payload }: Message): void {
    const message = parseMessage(payload);
    if (message === undefined) this.#log.debug(`ignored an unknown message on the bus channel ${channel}`);
    else if (message.origin !== this.#origin) this.#channels.get(channel)?.topic.receive(message.event);
  }

  #post(outbox: Outbox, event: ServerEvent): void {
    const payload = this.#format(event);
    const size = Buffer.byteLength(payload);
    if (size > this.#carrier.maxPayload) {
      this.#log.warning(`other processes are not notified of a change: the message of ${size} bytes is too long for the bus`);
      return;
    }
    outbox.add(payload);
    void this.#send();
  }

  #format(event: BusEvent): string {
    return formatMessage({ origin: this.#origin, event });
  }

  /** Sends all waiting messages while the bus is connected. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#link !== undefined) {
      const messages = this.#take();
      if (messages.length === 0) break;
      await this.#sendBatch(this.#link, messages);
    }
    this.#isSending = false;
  }

  async #sendBatch(link: Link, messages: readonly Message[]): Promise<void> {
    try {
      await link.publish(messages);
    } catch (error) {
      // Messages that may have been sent are sent again, because a repeated notification does less harm than a lost
      // one.
      for (const { channel, payload } of messages) this.#channels.get(channel)?.outbox.add(payload);
      this.#lose(link, error);
    }
  }

  #take(): readonly Message[] {
    return [...this.#channels].flatMap(([channel, { outbox }]) => outbox.take(BATCH).map((payload) => ({ channel, payload })));
  }
}

/** Returns the message without the stack, which does not help to explain a lost connection. */
function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Maximum number of distinct waiting messages, so that a lost connection takes limited memory. */
const MAX_WAITING = 1000;

/**
 * A queue of messages that wait for the connection. If more messages than the limit wait, one overflow message replaces
 * all of them.
 */
class Outbox {
  readonly #overflow: string;
  readonly #waiting = new Set<string>();

  /** @param overflow message that replaces all dropped messages */
  constructor(overflow: string) {
    this.#overflow = overflow;
  }

  add(message: string): void {
    if (this.#waiting.has(this.#overflow)) return;
    if (this.#waiting.size >= MAX_WAITING) {
      this.#waiting.clear();
      this.#waiting.add(this.#overflow);
    } else this.#waiting.add(message);
  }

  /** Removes and returns the oldest waiting messages. */
  take(count: number): readonly string[] {
    const taken = [...this.#waiting].slice(0, count);
    for (const message of taken) this.#waiting.delete(message);
    return taken;
  }
}
