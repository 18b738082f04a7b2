import type { JSONRPCRequest, Result } from '@modelcontextprotocol/server';

/** The revisions that brought a type of content; a client of an older one rejects the whole message. */
const SINCE: Readonly<Record<string, string>> = { audio: '2025-03-26', resource_link: '2025-06-18' };

/** The last revision that brought one to results. */
const ALL_CONTENT = '2025-06-18';

/** From here on a message of a conversation may have several blocks, and a choice in a form its own title. */
const NEWEST_REQUESTS = '2025-11-25';

type Fields = Readonly<Record<string, unknown>>;

/** A result as a client of that revision can read it: blocks that it does not know become text. Nothing else is rejected by older ones. */
export function downLevelResult(result: Result, method: string, revision: string): Result {
  if (revision >= ALL_CONTENT) return result;
  if (method === 'tools/call') return withKnownContent(result, revision);
  if (method !== 'prompts/get' || !Array.isArray(result['messages'])) return result;
  return { ...result, messages: result['messages'].map((message: unknown) => withKnownContent(message, revision)) };
}

/**
 * A request to the client as one of that revision can read it: blocks as in results, one block for each message, and the titles of
 * choices in a list of their own.
 */
export function downLevelRequest(request: JSONRPCRequest, revision: string): JSONRPCRequest {
  if (revision >= NEWEST_REQUESTS) return request;
  const { method, params = {} } = request;
  const { messages, requestedSchema } = params;
  if (method === 'sampling/createMessage' && Array.isArray(messages)) {
    const known = messages.flatMap(oneBlockEach).map((message: unknown) => withKnownContent(message, revision));
    return { ...request, params: { ...params, messages: known } };
  }
  if (method !== 'elicitation/create' || !isObject(requestedSchema)) return request;
  return { ...request, params: { ...params, requestedSchema: withListedTitles(requestedSchema) } };
}

function withListedTitles(form: Fields): Fields {
  const { properties } = form;
  if (!isObject(properties)) return form;
  return { ...form, properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, listed(field)])) };
}

function listed(field: unknown): unknown {
  if (!isObject(field) || !Array.isArray(field['oneOf'])) return field;
  const { oneOf, ...rest } = field;
  const choices = oneOf.filter(isObject);
  return { ...rest, enum: choices.map((choice) => choice['const']), enumNames: choices.map(({ title }) => title) };
}

function oneBlockEach(message: unknown): readonly unknown[] {
  if (!isObject(message) || !Array.isArray(message['content'])) return [message];
  return message['content'].map((content: unknown) => ({ ...message, content }));
}

function withKnownContent<Holder>(holder: Holder, revision: string): Holder {
  if (!isObject(holder)) return holder;
  const { content } = holder;
  if (!Array.isArray(content)) return isKnown(content, revision) ? holder : { ...holder, content: asText(content) };
  if (content.every((block) => isKnown(block, revision))) return holder;
  return { ...holder, content: content.map((block: unknown) => (isKnown(block, revision) ? block : asText(block))) };
}

function isKnown(block: unknown, revision: string): boolean {
  if (!isObject(block) || typeof block['type'] !== 'string') return true;
  const { type } = block;
  return !Object.hasOwn(SINCE, type) || (SINCE[type] ?? '') <= revision;
}

function asText(block: unknown): object {
  const { type, annotations, ...fields } = isObject(block) ? block : {};
  const text = type === 'audio' ? describeAudio(fields) : describeLink(fields);
  return { type: 'text', text, ...(annotations !== undefined && { annotations }) };
}

function describeAudio({ mimeType, data }: Fields): string {
  const bytes = Buffer.byteLength(String(data), 'base64');
  return `[audio, ${String(mimeType)}, ${bytes} bytes: the client's revision of the protocol has no audio]`;
}

function describeLink({ uri, name, title, description }: Fields): string {
  const link = `[resource ${String(title ?? name)}: ${String(uri)}]`;
  return typeof description === 'string' ? `${link}\n${description}` : link;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
