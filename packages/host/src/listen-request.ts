import { Subscriptions } from '@org/mcp-decorators';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** Who listens, and to what it is added. */
export interface Listener {
  readonly subscriptions: Subscriptions;
  /** The stream; whoever made it removes it from the subscriptions. */
  readonly owner: object;
  /** Principal of the stream; `undefined` without a token. */
  readonly principal?: string | undefined;
  /** Told why a URI is not watched, once for each reason. */
  readonly onError: (error: unknown) => void;
}

/**
 * Watches what a `subscriptions/listen` request names; resolves to the request without the URIs that are not watched. All are
 * added to the subscriptions before it returns its promise, so that removing the owner meanwhile removes them.
 */
export async function watchListened(
  request: JSONRPCRequest,
  { subscriptions, owner, principal, onError }: Listener,
): Promise<JSONRPCRequest> {
  const named = urisOf(request);
  // Refusing each of a message full of them would take seconds.
  const uris = named.slice(0, Subscriptions.maxPerOwner);
  if (named.length > uris.length)
    onError(new Error(`a listen stream names ${named.length} resources; it is told of the first ${uris.length}`));
  const outcomes = await Promise.allSettled(uris.map((uri) => subscriptions.add(uri, owner, principal)));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome] : []));
  for (const reason of new Map(failures.map(({ reason }) => [String(reason), reason])).values()) onError(reason);
  const resourceSubscriptions = uris.filter((_, position) => {
    const outcome = outcomes[position];
    return outcome?.status === 'fulfilled' && outcome.value;
  });
  return { ...request, params: { ...request.params, notifications: { ...filterOf(request), resourceSubscriptions } } };
}

export function isListenRequest(message: unknown): message is JSONRPCRequest {
  if (typeof message !== 'object' || message === null) return false;
  return 'method' in message && message.method === 'subscriptions/listen' && 'id' in message;
}

/** The URIs that it names, each once; none where they are not all strings: such a request is refused as it is. */
export function urisOf(request: JSONRPCRequest): readonly string[] {
  const filter = filterOf(request);
  const uris: unknown = 'resourceSubscriptions' in filter ? filter.resourceSubscriptions : undefined;
  return isStrings(uris) ? [...new Set(uris)] : [];
}

function filterOf({ params }: JSONRPCRequest): object {
  const filter = params?.['notifications'];
  return typeof filter === 'object' && filter !== null ? filter : {};
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
