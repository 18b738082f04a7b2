import { Integer, ListOf, OneOf, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { Length } from 'class-validator';

import type { Database } from '../database/database.ts';
import { listenOn } from '../database/notifications.ts';
import { DatabaseInput } from './database-input.ts';
import { cutText } from '../rows/fit.ts';

export class ListenInput extends DatabaseInput {
  @Length(1, 63, { each: true })
  @TextList('Channels of NOTIFY; in small letters, unless they were quoted', { minItems: 1, maxItems: 16, pattern: /^[^\0]*$/ })
  channels!: string[];

  @Integer('Return after this many', { min: 1, max: 100 }) max_notifications = 1;
}

export class HeardNotification {
  @Text() channel!: string;
  @Text() payload!: string;
  @Integer('Process id of the session that sent it') pid!: number;
}

export class HeardNotifications {
  @ListOf(() => HeardNotification) notifications!: HeardNotification[];
  @OneOf(['count', 'timeout'], 'Why it returned: count (max_notifications) or timeout') ended!: 'count' | 'timeout';
}

/** @throws ToolError UNSUPPORTED_ENGINE, OVERLOADED, CONNECTION */
export async function listen(database: Database, input: ListenInput, context: RequestContext): Promise<HeardNotifications> {
  const notifications: HeardNotification[] = [];
  const { channels, max_notifications: most } = input;
  await listenOn(database, {
    channels,
    most,
    timeoutMs: database.timeoutFor(input),
    signal: context.signal,
    listening: () => context.progress(0, most, 'listening'),
    heard: (notification) => {
      notifications.push(notification);
      context.progress(notifications.length, most, `${notifications.length} of at most ${most} heard`);
    },
  });
  // A notification is not sent again, so a part of each is better than some of them whole.
  const payloadBytes = Math.floor(database.limits.maxBytes / Math.max(1, notifications.length));
  for (const each of notifications) each.payload = cutText(each.payload, payloadBytes);
  return { notifications, ended: notifications.length < most ? 'timeout' : 'count' };
}
