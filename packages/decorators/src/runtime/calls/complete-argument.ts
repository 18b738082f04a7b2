import {
  ProtocolError,
  ProtocolErrorCode,
  type CompleteRequest,
  type CompleteResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import { completionKey, type CompiledCompletion } from '../../compile/compiled-server.ts';
import { ToolError } from '../../results/tool-error.ts';
import { shorten } from '../../text/shorten.ts';
import { identifyCaller } from '../client/client.ts';
import { getReporter } from '../hooks/hooks.ts';
import { toProtocolError } from './failure.ts';
import { findMethod } from './invoke.ts';
import { serveCall } from './serve-call.ts';
import type { ServerConnection } from './server-runtime.ts';

/**
 * Completes an argument.
 *
 * @throws ProtocolError −32602 for an unknown prompt or resource, −32603 if the rate limit is exceeded, and for errors of the
 *   method
 */
export async function completeArgument(
  connection: ServerConnection,
  { params }: CompleteRequest,
  request: ServerContext,
): Promise<CompleteResult> {
  const { runtime } = connection;
  const { argument, ref } = params;
  const name = ref.type === 'ref/prompt' ? ref.name : ref.uri;
  const kind = ref.type === 'ref/prompt' ? 'prompt' : 'resource';
  if (!isKnown(runtime.compiled, kind, name))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${kind}: ${shorten(name)}`);
  const completion = runtime.compiled.completions.get(completionKey(kind, name, argument.name));
  if (completion === undefined) return nothing();
  try {
    runtime.completionRate.countCall(identifyCaller(connection, request).key, 'completion');
    const candidates = await collectCandidates(connection, request, completion, params);
    return { completion: toCompletion(candidates, argument.value, completion) };
  } catch (error) {
    // If no directory is allowed, no path is accessible, so the list of candidates is empty.
    if (ToolError.is(error) && error.code === 'ROOTS_REQUIRED') return nothing();
    const failing = { ...completion, definition: { name: 'completion' } };
    throw toProtocolError(error, failing, getReporter(runtime.onError, request.mcpReq.signal));
  }
}

/** Returns the completion for the client. The total is unknown if the method returned an incomplete list. */
function toCompletion(returned: unknown, typed: string, { place }: CompiledCompletion): CompleteResult['completion'] {
  const { values, hasMore } = isCut(returned) ? returned : { values: returned, hasMore: false };
  if (!isStrings(values)) throw new TypeError(`${place} must return strings`);
  const ranking = rankCandidates(values, typed);
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

/** Calls the method of a completion. In a session, the method may request input from the client, for instance its roots. */
function collectCandidates(
  connection: ServerConnection,
  request: ServerContext,
  completion: CompiledCompletion,
  { argument, ref, context: given }: CompleteRequest['params'],
): Promise<unknown> {
  const { method, owner } = findMethod(connection.runtime.server, completion);
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
  { prompts, templates, resources }: ServerConnection['runtime']['compiled'],
  kind: 'prompt' | 'resource',
  name: string,
): boolean {
  if (kind === 'prompt') return prompts.has(name);
  return resources.has(name) || templates.some(({ definition }) => definition.uriTemplate === name);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Maximum number of values in one completion response (MCP specification). */
const MAX_VALUES = 100;

/** The best 100 of the matching candidates, best first. */
interface Ranking {
  readonly values: string[];
  /** Number of all matching candidates. */
  readonly total: number;
  readonly hasMore: boolean;
}

/**
 * Ranks candidates by how well they match the typed text, ignoring case: candidates that start with it, that contain a word that
 * starts with it, that contain it, that contain its letters in order. Equally good candidates keep their order.
 */
export function rankCandidates(candidates: readonly string[], typed: string): Ranking {
  const wanted = typed.toLowerCase();
  const tiers: string[][] = TIERS.map(() => []);
  for (const candidate of new Set(candidates)) {
    const text = candidate.toLowerCase();
    tiers[TIERS.findIndex((matches) => matches(text, wanted))]?.push(candidate);
  }
  const matching = tiers.flat();
  return { values: matching.slice(0, MAX_VALUES), total: matching.length, hasMore: matching.length > MAX_VALUES };
}

/** For each kind of match, best kind first: a function that returns whether a candidate matches the typed text. */
const TIERS: readonly ((candidate: string, wanted: string) => boolean)[] = [
  (candidate, wanted) => candidate.startsWith(wanted),
  (candidate, wanted) => candidate.includes(wanted) && beginsWord(candidate, wanted),
  (candidate, wanted) => candidate.includes(wanted),
  hasLetters,
];

function beginsWord(candidate: string, wanted: string): boolean {
  return candidate.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) || candidate.includes(`/${wanted}`);
}

function hasLetters(candidate: string, wanted: string): boolean {
  let position = 0;
  for (const letter of wanted) {
    const found = candidate.indexOf(letter, position);
    if (found < 0) return false;
    position = found + letter.length;
  }
  return true;
}
