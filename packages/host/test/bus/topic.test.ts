import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Topic } from '../../src/bus/topic.ts';
import { ALL_LISTS, Joined, PROMPTS, TOOLS, updated } from './joined.ts';

describe('a server object on the bus', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function topicOf(joined: Joined): Topic {
    return new Topic(joined, { send: () => undefined, onError: (error) => joined.lines.push(String(error)) });
  }

  it('hears of the same change at most once in 100 ms, and of the last', () => {
    const joined = new Joined();
    using topic = topicOf(joined);
    topic.receive(TOOLS);
    for (let times = 0; times < 10; times += 1) for (const event of [TOOLS, PROMPTS]) topic.receive(event);
    expect(joined.heard).toEqual(['tools_list_changed']);
    vi.advanceTimersByTime(100);
    expect(joined.heard.slice(1)).toEqual(['tools_list_changed', 'prompts_list_changed']);
    vi.advanceTimersByTime(10_000);
    topic.receive(TOOLS);
    expect(joined.heard.slice(3)).toEqual(['tools_list_changed']);
  });

  it('hears of at most 1,000 changes in 100 ms, and of all in the end', async () => {
    const joined = new Joined();
    using topic = topicOf(joined);
    const uris = Array.from({ length: 2500 }, (_, uri) => `notes://${uri}`);
    await joined.listenTo(...uris);
    topic.receive({ kind: 'everything_changed' });
    expect(joined.heard).toHaveLength(1000);
    vi.advanceTimersByTime(100);
    expect(joined.heard).toHaveLength(2000);
    vi.advanceTimersByTime(100);
    expect(joined.heard).toEqual([...ALL_LISTS, ...uris]);
  });

  it('hears of no resource that its clients have not subscribed to', () => {
    const joined = new Joined();
    using topic = topicOf(joined);
    topic.receive(updated('notes://a'));
    expect(joined.heard).toEqual([]);
  });

  it('hears of nothing after it was taken off', () => {
    const joined = new Joined();
    const topic = topicOf(joined);
    topic.receive(TOOLS);
    topic.receive(PROMPTS);
    topic[Symbol.dispose]();
    vi.advanceTimersByTime(1000);
    expect(joined.heard).toEqual(['tools_list_changed']);
  });
});
