import {
  ProtocolError,
  ProtocolErrorCode,
  type CompleteRequest,
  type CompleteResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import { completionKey } from '../compile/primitives.ts';
import type { Connection } from './connection.ts';
import { failedRequest, reporterFor } from './failure.ts';
import { methodOf } from './invoke.ts';
import { rank } from './rank.ts';
import { shorten } from '../shorten.ts';
import { RequestContext } from './request-context.ts';

export async function complete(
  { served, clientRoots }: Connection,
  { params }: CompleteRequest,
  { mcpReq }: ServerContext,
): Promise<CompleteResult> {
  const { argument, ref } = params;
  const name = ref.type === 'ref/prompt' ? ref.name : ref.uri;
  const kind = ref.type === 'ref/prompt' ? 'prompt' : 'resource';
  if (!isKnown(served.compiled, kind, name))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${kind}: ${shorten(name)}`);
  const completion = served.compiled.completions.get(completionKey(kind, name, argument.name));
  if (completion === undefined) return { completion: { values: [], total: 0, hasMore: false } };
  return RequestContext.runWithoutAsking(mcpReq, clientRoots, async (context) => {
    try {
      const method = methodOf(served.server, completion);
      const candidates: unknown = await method(argument.value, params.context?.arguments ?? {}, context);
      if (!isStrings(candidates)) throw new TypeError(`${completion.place} returned something else than strings`);
      return { completion: { ...rank(candidates, argument.value) } };
    } catch (error) {
      throw failedRequest(
        error,
        { ...completion, definition: { name: 'completion' } },
        reporterFor(served.onError, mcpReq.signal),
      );
    }
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
