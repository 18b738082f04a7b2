import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledPrompt } from '../compile/primitives.ts';
import type { Connection } from './connection.ts';
import { failedRequest, reporterFor } from './failure.ts';
import { invoke } from './invoke.ts';
import { shorten } from '../shorten.ts';
import { RequestContext } from './request-context.ts';

export async function getPrompt(
  { served, clientRoots }: Connection,
  { params }: GetPromptRequest,
  { mcpReq }: ServerContext,
): Promise<GetPromptResult | InputRequiredResult> {
  const prompt = served.compiled.prompts.get(params.name);
  if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${shorten(params.name)}`);
  return RequestContext.run(mcpReq, clientRoots, async (context) => {
    try {
      return messagesOf(prompt, await invoke(served.server, prompt, { arguments: params.arguments, strings: true }, context));
    } catch (error) {
      throw failedRequest(error, prompt, reporterFor(served.onError, mcpReq.signal));
    }
  });
}

function messagesOf({ definition, place }: CompiledPrompt, returned: unknown): GetPromptResult {
  const description = definition.description === undefined ? {} : { description: definition.description };
  if (typeof returned === 'string') {
    return { ...description, messages: [{ role: 'user', content: { type: 'text', text: returned } }] };
  }
  const messages = Array.isArray(returned) ? returned : undefined;
  if (messages !== undefined) return { ...description, messages };
  if (isFullResult(returned)) return { ...description, ...returned };
  throw new TypeError(`${place} returned neither a string nor messages`);
}

function isFullResult(returned: unknown): returned is GetPromptResult {
  return typeof returned === 'object' && returned !== null && 'messages' in returned && Array.isArray(returned.messages);
}
