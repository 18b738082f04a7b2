import type { ServerEvent } from '@modelcontextprotocol/server';

/** A change event of a server object; `everything_changed` if individual changes were lost. */
export type BusEvent = ServerEvent | { readonly kind: 'everything_changed' };

/** An event and the process that published it. */
export interface BusMessage {
  readonly origin: string;
  readonly event: BusEvent;
}

/** Change events of all lists. */
export const LIST_EVENTS: readonly ServerEvent[] = [
  { kind: 'tools_list_changed' },
  { kind: 'prompts_list_changed' },
  { kind: 'resources_list_changed' },
];

const PLAIN = new Map<unknown, BusEvent>(
  [...LIST_EVENTS, { kind: 'everything_changed' } as const].map((event) => [event.kind, event]),
);

export function formatMessage({ origin, event }: BusMessage): string {
  return JSON.stringify({ origin, kind: event.kind, ...(event.kind === 'resource_updated' && { uri: event.uri }) });
}

/** Parses a message. Returns `undefined` for an unknown payload: other programs may use the channel, and later versions may add events. */
export function parseMessage(payload: string): BusMessage | undefined {
  const given = parseJson(payload);
  if (typeof given !== 'object' || given === null || !('origin' in given) || !('kind' in given)) return undefined;
  const { origin, kind } = given;
  if (typeof origin !== 'string') return undefined;
  const event = kind === 'resource_updated' ? readUpdate(given) : PLAIN.get(kind);
  return event && { origin, event };
}

function parseJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function readUpdate(given: object): BusEvent | undefined {
  return 'uri' in given && typeof given.uri === 'string' ? { kind: 'resource_updated', uri: given.uri } : undefined;
}
