import { describe, expect, it } from 'vitest';

import { ChangeBus, Subscriptions, type ResourceWatcher } from '../../../src/index.ts';

/** A watcher in which each start and stop of a watch waits until the test calls `go`. */
class Watcher implements ResourceWatcher {
  readonly events: string[] = [];
  readonly updates: string[] = [];
  readonly #steps: ((error?: Error) => void)[] = [];
  #updated: () => void = () => undefined;

  constructor() {
    ChangeBus.of(this).subscribe((event) => event.kind === 'resource_updated' && this.updates.push(event.uri));
  }

  get subscriptions(): Subscriptions {
    const subscriptions = Subscriptions.of(this);
    if (subscriptions === undefined) throw new Error('it watches');
    return subscriptions;
  }

  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    this.#updated = updated;
    await this.#step(`start ${uri}`);
    if (uri === 'nothing') return undefined;
    return { [Symbol.asyncDispose]: () => this.#step(`stop ${uri}`) };
  }

  change(): void {
    this.#updated();
  }

  /** Completes the oldest start or stop that waits. If an error is given, this start or stop fails with the error. */
  async go(error?: Error): Promise<void> {
    await settled();
    this.#steps.shift()?.(error);
    await settled();
  }

  #step(event: string): Promise<void> {
    this.events.push(event);
    return new Promise((resolve, reject) => this.#steps.push((error) => (error === undefined ? resolve() : reject(error))));
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const [ONE, OTHER] = [{}, {}];

describe('the subscriptions of a server object', () => {
  it('are shared by all connections, and undefined if the object watches nothing', () => {
    const watcher = new Watcher();
    expect(Subscriptions.of(watcher)).toBe(watcher.subscriptions);
    expect(Subscriptions.of({})).toBeUndefined();
  });

  it('watch a URI once while it has a subscriber', async () => {
    const watcher = new Watcher();
    const { subscriptions } = watcher;
    const added = [subscriptions.add('a', ONE), subscriptions.add('a', OTHER), subscriptions.add('a', ONE)];
    await watcher.go();
    expect(await Promise.all(added)).toEqual([true, true, true]);
    expect(subscriptions.size).toBe(2);
    watcher.change();
    await subscriptions.remove(ONE, 'a');
    await subscriptions.remove(ONE);
    expect([subscriptions.has(ONE, 'a'), subscriptions.has(OTHER, 'a')]).toEqual([false, true]);
    const removed = subscriptions.remove(OTHER);
    await watcher.go();
    await removed;
    watcher.change();
    expect(watcher.events).toEqual(['start a', 'stop a']);
    expect(watcher.updates).toEqual(['a']);
    expect(subscriptions.size).toBe(0);
  });

  it('notify only this process, because others watch for themselves', async () => {
    const watcher = new Watcher();
    const sent: string[] = [];
    ChangeBus.of(watcher).relay(({ kind }) => sent.push(kind));
    const added = watcher.subscriptions.add('a', {});
    await watcher.go();
    await added;
    watcher.change();
    expect([watcher.updates, sent]).toEqual([['a'], []]);
  });

  it('stop a watch whose last owner unsubscribes while the watch starts', async () => {
    const watcher = new Watcher();
    const { subscriptions } = watcher;
    const added = subscriptions.add('a', ONE);
    const removed = subscriptions.remove(ONE);
    await watcher.go();
    expect(watcher.events).toEqual(['start a', 'stop a']);
    await watcher.go();
    await Promise.all([added, removed]);
    expect(subscriptions.size).toBe(0);
  });

  it('keep a watch if only one of its owners unsubscribes while the watch starts', async () => {
    const watcher = new Watcher();
    const { subscriptions } = watcher;
    const added = [subscriptions.add('a', ONE), subscriptions.add('a', OTHER)];
    await subscriptions.remove(ONE);
    await watcher.go();
    expect(await Promise.all(added)).toEqual([true, true]);
    watcher.change();
    expect(watcher.events).toEqual(['start a']);
    expect(watcher.updates).toEqual(['a']);
    expect(subscriptions.size).toBe(1);
  });

  it('start a watch again only after the previous one has stopped', async () => {
    const watcher = new Watcher();
    const { subscriptions } = watcher;
    const first = subscriptions.add('a', ONE);
    await watcher.go();
    const removed = subscriptions.remove(ONE).catch(String);
    const second = subscriptions.add('a', ONE);
    await settled();
    expect(watcher.events).toEqual(['start a', 'stop a']);
    await watcher.go(new Error('cannot stop'));
    await watcher.go();
    expect(watcher.events).toEqual(['start a', 'stop a', 'start a']);
    expect(await Promise.all([first, removed, second])).toEqual([true, 'Error: cannot stop', true]);
    expect(subscriptions.has(ONE, 'a')).toBe(true);
  });

  it('reject all owners of a failed watch, and try again for the next owner', async () => {
    const watcher = new Watcher();
    const { subscriptions } = watcher;
    const refused = [ONE, OTHER].map((owner) => subscriptions.add('a', owner).catch(String));
    await watcher.go(new Error('no more watches'));
    expect(await Promise.all(refused)).toEqual(['Error: no more watches', 'Error: no more watches']);
    expect(subscriptions.size).toBe(0);
    const added = subscriptions.add('a', ONE);
    await watcher.go();
    expect(await added).toBe(true);
  });

  it('remember nothing about a URI that cannot be watched', async () => {
    const watcher = new Watcher();
    const { subscriptions } = watcher;
    const added = subscriptions.add('nothing', ONE);
    await watcher.go();
    expect(await added).toBe(false);
    expect(await subscriptions.add('a'.repeat(16_385), ONE)).toBe(false);
    await subscriptions.remove(ONE);
    expect(watcher.events).toEqual(['start nothing']);
    expect(subscriptions.size).toBe(0);
  });

  it('are limited to 10,000 per owner, who may replace them', async () => {
    const subscriptions = Subscriptions.of({ watch: () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }) });
    const add = async (uri: number): Promise<boolean | undefined> => subscriptions?.add(`notes://${uri}`, ONE);
    await Promise.all(Array.from({ length: 10_000 }, (_, uri) => add(uri)));
    await expect(add(10_000)).rejects.toMatchObject({ code: 'OVERLOADED', message: expect.stringContaining('10000 resources') });
    expect(await add(0)).toBe(true);
    expect(await subscriptions?.add('notes://10000', OTHER)).toBe(true);
    await subscriptions?.remove(ONE, 'notes://0');
    expect(await add(10_000)).toBe(true);
  });
});
