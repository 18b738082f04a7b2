import type { JSONRPCRequest, Result } from '@modelcontextprotocol/server';

/**
 * First revision that supports each type of content. A client of an older revision rejects a message with such content.
 */
const SINCE: Readonly<Record<string, string>> = { audio: '2025-03-26', resource_link: '2025-06-18' };

/** Since this revision, results may contain every type of content. */
const ALL_CONTENT = '2025-06-18';

/**
 * Since this revision, a sampling message may have several blocks, and each choice of a form may have its own title.
 */
const ALL_REQUESTS = '2025-11-25';

type Fields = Readonly<Record<string, unknown>>;

/** Rewrites a result for a client of an older revision: blocks of an unknown type become text. Older clients accept everything else. */
export function downLevelResult(result: Result, method: string, revision: string): Result {
  if (revision >= ALL_CONTENT) return result;
  if (method === 'tools/call') return replaceUnknownBlocks(result, revision);
  if (method !== 'prompts/get' || !Array.isArray(result['messages'])) return result;
  return { ...result, messages: result['messages'].map((message: unknown) => replaceUnknownBlocks(message, revision)) };
}

/**
 * Rewrites a request to a client of an older revision: blocks of an unknown type become text, each message has one block, and the
 * titles of choices form a list of their own.
 */
export function downLevelRequest(request: JSONRPCRequest, revision: string): JSONRPCRequest {
  if (revision >= ALL_REQUESTS) return request;
  const { method, params = {} } = request;
  const { messages, requestedSchema } = params;
  if (method === 'sampling/createMessage' && Array.isArray(messages)) {
    const known = messages.flatMap(splitBlocks).map((message: unknown) => replaceUnknownBlocks(message, revision));
    return { ...request, params: { ...params, messages: known } };
  }
  if (method !== 'elicitation/create' || !isObject(requestedSchema)) return request;
  return { ...request, params: { ...params, requestedSchema: moveTitlesToList(requestedSchema) } };
}

function moveTitlesToList(form: Fields): Fields {
  const { properties } = form;
  if (!isObject(properties)) return form;
  return {
    ...form,
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, listTitles(field)])),
  };
}

function listTitles(field: unknown): unknown {
  if (!isObject(field) || !Array.isArray(field['oneOf'])) return field;
  const { oneOf, ...rest } = field;
  const choices = oneOf.filter(isObject);
  return { ...rest, enum: choices.map((choice) => choice['const']), enumNames: choices.map(({ title }) => title) };
}

function splitBlocks(message: unknown): readonly unknown[] {
  if (!isObject(message) || !Array.isArray(message['content'])) return [message];
  return message['content'].map((content: unknown) => ({ ...message, content }));
}

function replaceUnknownBlocks<Holder>(holder: Holder, revision: string): Holder {
  if (!isObject(holder)) return holder;
  const { content } = holder;
  if (!Array.isArray(content)) return isKnown(content, revision) ? holder : { ...holder, content: toText(content) };
  if (content.every((block) => isKnown(block, revision))) return holder;
  return { ...holder, content: content.map((block: unknown) => (isKnown(block, revision) ? block : toText(block))) };
}

function isKnown(block: unknown, revision: string): boolean {
  if (!isObject(block) || typeof block['type'] !== 'string') return true;
  const { type } = block;
  return !Object.hasOwn(SINCE, type) || (SINCE[type] ?? '') <= revision;
}

function toText(block: unknown): object {
  const { type, annotations, ...fields } = isObject(block) ? block : {};
  const text = type === 'audio' ? describeAudio(fields) : describeLink(fields);
  return { type: 'text', text, ...(annotations !== undefined && { annotations }) };
}

function describeAudio({ mimeType, data }: Fields): string {
  const bytes = Buffer.byteLength(String(data), 'base64');
  return `[audio, ${String(mimeType)}, ${bytes} bytes: the client's protocol revision does not support audio]`;
}

function describeLink({ uri, name, title, description }: Fields): string {
  const link = `[resource ${String(title ?? name)}: ${String(uri)}]`;
  return typeof description === 'string' ? `${link}\n${description}` : link;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
