import type { ServerEvent } from '@modelcontextprotocol/server';

import { describe, expect, it } from 'vitest';

import { Changes } from '../../src/index.ts';

const TOOLS: ServerEvent = { kind: 'tools_list_changed' };
const UPDATED: ServerEvent = { kind: 'resource_updated', uri: 'notes://a' };

describe('the changes of a server object', () => {
  it('are the same for all who ask, and none of another object', () => {
    const server = {};
    expect(Changes.of(server)).toBe(Changes.of(server));
    expect(Changes.of(server)).not.toBe(Changes.of({}));
  });

  it('are told to each listener until it leaves, as often as it listens', () => {
    const changes = Changes.of({});
    const heard: ServerEvent[] = [];
    const listener = (event: ServerEvent): void => void heard.push(event);
    const [leave, leaveToo] = [changes.subscribe(listener), changes.subscribe(listener)];
    changes.publish(TOOLS);
    leave();
    leave();
    changes.publish(UPDATED);
    leaveToo();
    changes.publish(TOOLS);
    expect(heard).toEqual([TOOLS, TOOLS, UPDATED]);
  });

  it('are told to the others when a listener throws or leaves, and the publisher hears of the failure', () => {
    const changes = Changes.of({});
    const heard: string[] = [];
    const leave = changes.subscribe(() => {
      leave();
      throw new Error('broken');
    });
    changes.subscribe(() => heard.push('listener'));
    changes.relay(() => heard.push('relay'));
    expect(() => changes.publish(TOOLS)).toThrow('broken');
    changes.publish(TOOLS);
    expect(heard).toEqual(['listener', 'relay', 'listener', 'relay']);
  });
});

describe('a relay', () => {
  it('sends what is published here, and delivers what is published elsewhere without sending it back', () => {
    const changes = Changes.of({});
    const heard: ServerEvent[] = [];
    const sent: ServerEvent[] = [];
    changes.subscribe((event) => heard.push(event));
    const leave = changes.relay((event) => sent.push(event));
    const leaveToo = changes.relay((event) => sent.push(event));
    changes.publish(TOOLS);
    changes.deliver(UPDATED);
    leave();
    changes.publish(UPDATED);
    expect(heard).toEqual([TOOLS, UPDATED, UPDATED]);
    expect(sent).toEqual([TOOLS, TOOLS, UPDATED]);
    leaveToo();
  });
});
