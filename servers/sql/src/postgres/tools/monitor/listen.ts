import { Integer, ListOf, OneOf, Result, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { Length } from 'class-validator/cjs/decorator/string/Length.js';

import { receiveNotifications } from '../../database/listen/notifications.ts';
import { timeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import { fencedTable } from '../../../rows/fenced.ts';
import { cutText } from '../../../rows/fit.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';

export class ListenInput extends DatabaseInput {
  @Length(1, 63, { each: true })
  @TextList('NOTIFY channels; lower case unless NOTIFY quotes them', { minItems: 1, maxItems: 16, pattern: /^[^\0]*$/ })
  channels!: string[];

  @Integer('Return after this many notifications', { min: 1, max: 100 }) max_notifications = 1;
}

export class ReceivedNotification {
  @Text() channel!: string;
  @Text() payload!: string;
  @Integer('Process id of the session that sent the notification') pid!: number;
}

export class ReceivedNotifications {
  @ListOf(() => ReceivedNotification) notifications!: ReceivedNotification[];
  @OneOf(['count', 'timeout'], 'Why the call returned: count (max_notifications) or timeout') ended!: 'count' | 'timeout';
}

/** @throws ToolError errors of `receiveNotifications` */
export async function awaitNotifications(database: Database, input: ListenInput, context: RequestContext): Promise<Result> {
  const notifications: ReceivedNotification[] = [];
  const { channels, max_notifications: most } = input;
  await receiveNotifications(database, {
    channels,
    maxNotifications: most,
    timeoutMs: timeoutFor(database, input),
    signal: context.signal,
    onListening: () => context.progress(0, most, 'listening'),
    onNotification: (notification) => {
      notifications.push(notification);
      context.progress(notifications.length, most, `${notifications.length} of at most ${most} received`);
    },
  });
  // A notification is not sent again. Therefore each payload is cut to an equal share of the result, and no notification is
  // omitted.
  const payloadBytes = Math.floor(database.limits.maxBytes / Math.max(1, notifications.length));
  for (const each of notifications) each.payload = cutText(each.payload, payloadBytes);
  const received: ReceivedNotifications = { notifications, ended: notifications.length < most ? 'timeout' : 'count' };
  return Result.of(received, formatNotifications(received));
}

function formatNotifications({ notifications, ended }: ReceivedNotifications): string {
  if (notifications.length === 0) return 'No notification arrived in time';
  const rows = notifications.map(({ channel, payload, pid }) => [channel, payload, String(pid)]);
  const table = fencedTable(['channel', 'payload', 'pid'], rows);
  return ended === 'timeout' ? `${table}\nthe time limit was reached` : table;
}
