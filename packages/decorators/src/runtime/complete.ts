import {
  ProtocolError,
  ProtocolErrorCode,
  type CompleteRequest,
  type CompleteResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import { completionKey, type CompiledCompletion } from '../compile/primitives.ts';
import { ToolError } from '../errors.ts';
import { shorten } from '../shorten.ts';
import { callerOf } from './caller.ts';
import type { Connection } from './connection.ts';
import { failedRequest, reporterFor } from './failure.ts';
import { methodOf } from './invoke.ts';
import { rank } from './rank.ts';
import { serveCall } from './serve-call.ts';

/** Completes an argument. @throws ProtocolError −32602 for an unknown prompt or resource, −32603 past the rate limit */
export async function complete(
  connection: Connection,
  { params }: CompleteRequest,
  request: ServerContext,
): Promise<CompleteResult> {
  const { served } = connection;
  const { argument, ref } = params;
  const name = ref.type === 'ref/prompt' ? ref.name : ref.uri;
  const kind = ref.type === 'ref/prompt' ? 'prompt' : 'resource';
  if (!isKnown(served.compiled, kind, name))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${kind}: ${shorten(name)}`);
  const completion = served.compiled.completions.get(completionKey(kind, name, argument.name));
  if (completion === undefined) return nothing();
  try {
    served.completionRate.admit(callerOf(connection, request).key, 'completion');
    const candidates = await candidatesOf(connection, request, completion, params);
    return { completion: completionOf(candidates, argument.value, completion) };
  } catch (error) {
    // Where nothing may be touched there is nothing to suggest.
    if (ToolError.is(error) && error.code === 'ROOTS_REQUIRED') return nothing();
    const failing = { ...completion, definition: { name: 'completion' } };
    throw failedRequest(error, failing, reporterFor(served.onError, request.mcpReq.signal));
  }
}

/** Of what was not looked through, nobody knows how much there is. */
function completionOf(returned: unknown, typed: string, { place }: CompiledCompletion): CompleteResult['completion'] {
  const { values, hasMore } = isCut(returned) ? returned : { values: returned, hasMore: false };
  if (!isStrings(values)) throw new TypeError(`${place} returned something else than strings`);
  const ranking = rank(values, typed);
  return hasMore ? { values: ranking.values, hasMore } : { ...ranking };
}

function isCut(returned: unknown): returned is { readonly values: unknown; readonly hasMore: boolean } {
  return (
    typeof returned === 'object' &&
    returned !== null &&
    'values' in returned &&
    'hasMore' in returned &&
    typeof returned.hasMore === 'boolean'
  );
}

function nothing(): CompleteResult {
  return { completion: { values: [], total: 0, hasMore: false } };
}

/** A session's client may be asked on the way, for its roots for instance. */
function candidatesOf(
  connection: Connection,
  request: ServerContext,
  completion: CompiledCompletion,
  { argument, ref, context: given }: CompleteRequest['params'],
): Promise<unknown> {
  const { method, owner } = methodOf(connection.served.server, completion);
  return serveCall<unknown>(connection, request, {
    method: 'completion/complete',
    name: argument.name,
    observed: { kind: 'completion', name: ref.type === 'ref/prompt' ? ref.name : ref.uri },
    run: async (context) => Reflect.apply(method, owner, [argument.value, given?.arguments ?? {}, context]),
    fail: (error) => {
      throw error;
    },
  });
}

function isKnown(
  { prompts, templates, resources }: Connection['served']['compiled'],
  kind: 'prompt' | 'resource',
  name: string,
): boolean {
  if (kind === 'prompt') return prompts.has(name);
  return resources.has(name) || templates.some(({ definition }) => definition.uriTemplate === name);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
