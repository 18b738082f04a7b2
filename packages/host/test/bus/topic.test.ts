import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Topic } from '../../src/bus/topic.ts';
import { ALL_LISTS, Joined, PROMPTS, TOOLS, updated } from './joined.ts';

describe('a server object on the bus', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function topicOf(joined: Joined): Topic {
    return new Topic(joined, { send: () => undefined, onError: (error) => joined.lines.push(String(error)) });
  }

  it('delivers equal changes at most once per 100 ms, including the last one', () => {
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

  it('delivers at most 1,000 changes per 100 ms, and finally all of them', async () => {
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

  it('ignores resources that no client has subscribed to', () => {
    const joined = new Joined();
    using topic = topicOf(joined);
    topic.receive(updated('notes://a'));
    expect(joined.heard).toEqual([]);
  });

  it('delivers nothing after it was disposed of', () => {
    const joined = new Joined();
    const topic = topicOf(joined);
    topic.receive(TOOLS);
    topic.receive(PROMPTS);
    topic[Symbol.dispose]();
    vi.advanceTimersByTime(1000);
    expect(joined.heard).toEqual(['tools_list_changed']);
  });
});
