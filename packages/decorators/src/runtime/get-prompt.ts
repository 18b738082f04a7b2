import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type InputRequiredResult,
  type PromptMessage,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledPrompt } from '../compile/primitives.ts';
import { shorten } from '../shorten.ts';
import type { Connection } from './connection.ts';
import { asJson, isContentBlock } from './content.ts';
import { failedRequest, reporterFor } from './failure.ts';
import { invoke } from './invoke.ts';
import { serveCall } from './serve-call.ts';

/** Gets a prompt. @throws ProtocolError −32602 for an unknown one, and for what the prompt throws */
export async function getPrompt(
  connection: Connection,
  { params }: GetPromptRequest,
  request: ServerContext,
): Promise<GetPromptResult | InputRequiredResult> {
  const { served } = connection;
  const prompt = served.compiled.prompts.get(params.name);
  if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${shorten(params.name)}`);
  return serveCall(connection, request, {
    method: 'prompts/get',
    name: params.name,
    observed: { kind: 'prompt', name: params.name },
    arguments: params.arguments,
    run: async (context) =>
      messagesOf(prompt, await invoke(served, prompt, { kind: 'prompt', arguments: params.arguments, strings: true }, context)),
    fail: (error) => {
      throw failedRequest(error, prompt, reporterFor(served.onError, request.mcpReq.signal));
    },
  });
}

function messagesOf({ definition, place }: CompiledPrompt, returned: unknown): GetPromptResult {
  const description = definition.description === undefined ? {} : { description: definition.description };
  if (typeof returned === 'string') {
    return { ...description, messages: [{ role: 'user', content: { type: 'text', text: returned } }] };
  }
  const result = Array.isArray(returned) ? { messages: returned } : returned;
  if (isFullResult(result)) return asJson({ ...description, ...result });
  throw new TypeError(`${place} returned neither a string nor messages`);
}

function isFullResult(returned: unknown): returned is GetPromptResult {
  if (typeof returned !== 'object' || returned === null || !('messages' in returned)) return false;
  return Array.isArray(returned.messages) && returned.messages.every(isMessage);
}

function isMessage(value: unknown): value is PromptMessage {
  if (typeof value !== 'object' || value === null || !('role' in value) || !('content' in value)) return false;
  return (value.role === 'user' || value.role === 'assistant') && isContentBlock(value.content);
}
