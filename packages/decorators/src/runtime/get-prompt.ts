import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledPrompt } from '../compile/primitives.ts';
import { failedRequest } from './failure.ts';
import { invoke } from './invoke.ts';
import { RequestContext } from './request-context.ts';
import type { Served } from './served.ts';

export async function getPrompt(
  served: Served,
  { params }: GetPromptRequest,
  { mcpReq }: ServerContext,
): Promise<GetPromptResult> {
  const prompt = served.compiled.prompts.get(params.name);
  if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`);
  return RequestContext.run(mcpReq, async (context) => {
    try {
      return messagesOf(prompt, await invoke(served.server, prompt, { arguments: params.arguments, strings: true }, context));
    } catch (error) {
      throw failedRequest(error, prompt, mcpReq.signal.aborted ? () => undefined : served.onError);
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
