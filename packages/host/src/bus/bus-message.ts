import type { ServerEvent } from '@modelcontextprotocol/server';

/** What a process tells of a server object; `everything_changed` if it cannot tell any more what has. */
export type BusEvent = ServerEvent | { readonly kind: 'everything_changed' };

/** An event, and the process that it comes from. */
export interface BusMessage {
  readonly origin: string;
  readonly event: BusEvent;
}

/** The lists that may change. */
export const LIST_EVENTS: readonly ServerEvent[] = [
  { kind: 'tools_list_changed' },
  { kind: 'prompts_list_changed' },
  { kind: 'resources_list_changed' },
];

const PLAIN = new Map<unknown, BusEvent>(
  [...LIST_EVENTS, { kind: 'everything_changed' } as const].map((event) => [event.kind, event]),
);

export function writeMessage({ origin, event }: BusMessage): string {
  return JSON.stringify({ origin, kind: event.kind, ...(event.kind === 'resource_updated' && { uri: event.uri }) });
}

/** `undefined` for what is no message of ours: others may write to the same channel, and later versions may know more. */
export function readMessage(payload: string): BusMessage | undefined {
  const given = parse(payload);
  if (typeof given !== 'object' || given === null || !('origin' in given) || !('kind' in given)) return undefined;
  const { origin, kind } = given;
  if (typeof origin !== 'string') return undefined;
  const event = kind === 'resource_updated' ? updateOf(given) : PLAIN.get(kind);
  return event && { origin, event };
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function updateOf(given: object): BusEvent | undefined {
  return 'uri' in given && typeof given.uri === 'string' ? { kind: 'resource_updated', uri: given.uri } : undefined;
}
