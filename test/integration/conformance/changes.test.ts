import type { Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { Inbox } from '../support/inbox.ts';
import { CASES, MODERN } from './conformance-cases.ts';

/** Collects the notifications of changed lists of tools and prompts that a client receives from now on. */
function changesTo({ client }: Session): Inbox<string> {
  const changes = new Inbox<string>();
  client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => changes.add(method));
  client.setNotificationHandler('notifications/prompts/list_changed', ({ method }) => changes.add(method));
  return changes;
}

describe.each(CASES)('a list that changes, over $name,', ({ connect, era }) => {
  it('is reported to a client with a listen stream', async () => {
    await using session = await connect({});
    const changes = changesTo(session);
    if (era === 'modern') await session.client.listen({ toolsListChanged: true, promptsListChanged: true });
    expect(await session.text('test_trigger_tool_change')).toBe('Mutation triggered');
    expect(await changes.next()).toBe('notifications/tools/list_changed');
    expect(await session.text('test_trigger_prompt_change')).toBe('Mutation triggered');
    expect(await changes.next()).toBe('notifications/prompts/list_changed');
  });
});

describe.each(MODERN)('a stream that listens to one list, over $name,', ({ connect }) => {
  it('is not notified of other lists', async () => {
    await using session = await connect({});
    const changes = changesTo(session);
    await session.client.listen({ promptsListChanged: true });
    await session.call('test_trigger_tool_change');
    await session.call('test_trigger_prompt_change');
    await changes.next();
    expect(changes.all).toEqual(['notifications/prompts/list_changed']);
  });
});
