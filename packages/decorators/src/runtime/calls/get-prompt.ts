import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type InputRequiredResult,
  type PromptMessage,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { CompiledPrompt } from '../../compile/compiled-server.ts';
import { shorten } from '../../text/shorten.ts';
import { getReporter } from '../hooks/hooks.ts';
import { describeMissingTools } from '../lists/missing-tools.ts';
import type { OfferedTools } from '../lists/offered-tools.ts';
import { isContentBlock } from '../validation/content.ts';
import { asJson } from '../validation/json.ts';
import { toProtocolError } from './failure.ts';
import { invoke } from './invoke.ts';
import { serveCall } from './serve-call.ts';
import type { ServerConnection } from './server-runtime.ts';

/** Gets a prompt. @throws ProtocolError −32602 if the prompt is unknown, and for errors of its method */
export async function getPrompt(
  connection: ServerConnection,
  { params }: GetPromptRequest,
  request: ServerContext,
): Promise<GetPromptResult | InputRequiredResult> {
  const { runtime } = connection;
  const prompt = runtime.compiled.prompts.get(params.name);
  if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${shorten(params.name)}`);
  return serveCall(connection, request, {
    method: 'prompts/get',
    name: params.name,
    observed: { kind: 'prompt', name: params.name },
    arguments: params.arguments,
    run: async (context) =>
      addMissingToolsToPrompt(
        toPromptResult(
          prompt,
          await invoke(runtime, prompt, { kind: 'prompt', arguments: params.arguments, strings: true }, context),
        ),
        runtime.tools,
      ),
    fail: (error) => {
      throw toProtocolError(error, prompt, getReporter(runtime.onError, request.mcpReq.signal));
    },
  });
}

function toPromptResult({ definition, place }: CompiledPrompt, returned: unknown): GetPromptResult {
  const description = definition.description === undefined ? {} : { description: definition.description };
  if (typeof returned === 'string') {
    return { ...description, messages: [{ role: 'user', content: { type: 'text', text: returned } }] };
  }
  const result = Array.isArray(returned) ? { messages: returned } : returned;
  if (isFullResult(result)) return asJson({ ...description, ...result });
  throw new TypeError(`${place} returned neither a string nor messages`);
}

/** Adds a note to each text message of a prompt that names tools which are not offered. */
function addMissingToolsToPrompt(result: GetPromptResult, tools: OfferedTools): GetPromptResult {
  return { ...result, messages: result.messages.map((message) => addMissingToolsToMessage(message, tools)) };
}

function addMissingToolsToMessage(message: PromptMessage, tools: OfferedTools): PromptMessage {
  const { content } = message;
  const missing = content.type === 'text' ? describeMissingTools(content.text, tools) : undefined;
  if (content.type !== 'text' || missing === undefined) return message;
  return { ...message, content: { ...content, text: `${content.text}\n\nNote: ${missing}.` } };
}

function isFullResult(returned: unknown): returned is GetPromptResult {
  if (typeof returned !== 'object' || returned === null || !('messages' in returned)) return false;
  return Array.isArray(returned.messages) && returned.messages.every(isMessage);
}

function isMessage(value: unknown): value is PromptMessage {
  if (typeof value !== 'object' || value === null || !('role' in value) || !('content' in value)) return false;
  return (value.role === 'user' || value.role === 'assistant') && isContentBlock(value.content);
}
