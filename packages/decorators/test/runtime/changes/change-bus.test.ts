import type { ServerEvent } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { ChangeBus } from '../../../src/index.ts';

const TOOLS: ServerEvent = { kind: 'tools_list_changed' };
const UPDATED: ServerEvent = { kind: 'resource_updated', uri: 'notes://a' };

describe('the change bus of a server object', () => {
  it('is shared by all callers, and separate from the bus of another server object', () => {
    const server = {};
    expect(ChangeBus.of(server)).toBe(ChangeBus.of(server));
    expect(ChangeBus.of(server)).not.toBe(ChangeBus.of({}));
  });

  it('notifies each listener until it unsubscribes, as often as it subscribed', () => {
    const changes = ChangeBus.of({});
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

  it('notifies the other listeners if one throws or unsubscribes, and rethrows the error to the publisher', () => {
    const changes = ChangeBus.of({});
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
  it('forwards published events, but not delivered ones', () => {
    const changes = ChangeBus.of({});
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
