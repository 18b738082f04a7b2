import {
  ProtocolError,
  ProtocolErrorCode,
  type CompleteRequest,
  type CompleteResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import { completionKey, type CompiledCompletion } from '../compile/primitives.ts';
import { shorten } from '../shorten.ts';
import { callerOf } from './caller.ts';
import type { Connection } from './connection.ts';
import { failedRequest, reporterFor } from './failure.ts';
import { methodOf } from './invoke.ts';
import { Progress } from './progress.ts';
import { rank } from './rank.ts';
import { contextOf, type RequestContext } from './request-context.ts';
import { serveSession } from './serve-call.ts';

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
  if (completion === undefined) return { completion: { values: [], total: 0, hasMore: false } };
  try {
    served.completionRate.admit(callerOf(connection, request), 'completion');
    const candidates = await candidatesOf(connection, request, completion, params);
    if (!isStrings(candidates)) throw new TypeError(`${completion.place} returned something else than strings`);
    return { completion: { ...rank(candidates, argument.value) } };
  } catch (error) {
    const failing = { ...completion, definition: { name: 'completion' } };
    throw failedRequest(error, failing, reporterFor(served.onError, request.mcpReq.signal));
  }
}

/** A session's client can be asked for its roots on the way; on 2026-07-28 completions cannot ask. */
async function candidatesOf(
  connection: Connection,
  request: ServerContext,
  completion: CompiledCompletion,
  { argument, context: given }: CompleteRequest['params'],
): Promise<unknown> {
  const progress = new Progress(request.mcpReq);
  const { method, owner } = methodOf(connection.served.server, completion);
  const run = async (context: RequestContext): Promise<unknown> =>
    Reflect.apply(method, owner, [argument.value, given?.arguments ?? {}, context]);
  const fail = (error: unknown): never => {
    throw error;
  };
  const parts = { connection, request, progress, deadline: undefined, rootsChanges: connection.knownRoots.changes };
  try {
    if (connection.era === 'modern') return await run(contextOf({ ...parts, questions: undefined }));
    return await serveSession({ method: 'completion/complete', name: argument.name, run, fail }, parts);
  } finally {
    progress.end();
  }
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
