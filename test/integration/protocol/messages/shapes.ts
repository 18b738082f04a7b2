import { isStateless, since, type Revision } from './cells.ts';
import type { Block, FormSchema, Message, Params, Result, RpcError } from './message.ts';

type Check = (value: Readonly<Record<string, unknown>>) => boolean;

const isString: (value: unknown) => boolean = (value) => typeof value === 'string';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf = (value: unknown, check: Check): boolean =>
  Array.isArray(value) && value.every((item) => isObject(item) && check(item));

/** Checks of the required members of results, by method. The results of other methods have no required members. */
const RESULTS: Readonly<Record<string, (result: Result, revision: Revision) => boolean>> = {
  initialize: ({ protocolVersion, capabilities, serverInfo }) =>
    isString(protocolVersion) && isObject(capabilities) && isImplementation(serverInfo),
  'server/discover': ({ supportedVersions, capabilities }) =>
    Array.isArray(supportedVersions) && supportedVersions.every(isString) && isObject(capabilities),
  'tools/list': ({ tools }, revision) => isListOf(tools, (tool) => isTool(tool, revision)),
  'tools/call': ({ content }, revision) => isListOf(content, (block) => isBlock(block, revision)),
  'resources/list': ({ resources }) => isListOf(resources, ({ uri, name }) => isString(uri) && isString(name)),
  'resources/templates/list': ({ resourceTemplates }) =>
    isListOf(resourceTemplates, ({ uriTemplate, name }) => isString(uriTemplate) && isString(name)),
  'resources/read': ({ contents }) => isListOf(contents, isContents),
  'prompts/list': ({ prompts }) => isListOf(prompts, isPrompt),
  'prompts/get': ({ messages }, revision) => isListOf(messages, (message) => isPromptMessage(message, revision)),
  'completion/complete': ({ completion }) =>
    isObject(completion) &&
    Array.isArray(completion.values) &&
    completion.values.length <= 100 &&
    completion.values.every(isString),
};

/** Methods whose results clients may cache. On 2026-07-28, these results contain cache hints. */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Checks of the parameters of a server's notifications, by method. */
const NOTIFICATIONS: Readonly<Record<string, (params: Params) => boolean>> = {
  'notifications/progress': ({ progressToken, progress, total }) =>
    isId(progressToken) && typeof progress === 'number' && (total === undefined || typeof total === 'number'),
  'notifications/message': ({ level, data }) => isString(level) && LEVELS.includes(String(level)) && data !== undefined,
  'notifications/resources/updated': ({ uri }) => isString(uri),
  'notifications/tools/list_changed': () => true,
  'notifications/prompts/list_changed': () => true,
  'notifications/resources/list_changed': () => true,
  'notifications/cancelled': ({ requestId }) => isId(requestId),
};

const STATELESS_NOTIFICATIONS: typeof NOTIFICATIONS = {
  ...NOTIFICATIONS,
  'notifications/subscriptions/acknowledged': ({ notifications, _meta }) =>
    isObject(notifications) && isId(_meta?.['io.modelcontextprotocol/subscriptionId']),
};

/** Checks of the parameters of a server's requests, by method. On 2026-07-28, requests occur only within a result. */
const REQUESTS: Readonly<Record<string, (params: Params, revision: Revision) => boolean>> = {
  ping: () => true,
  'roots/list': () => true,
  'sampling/createMessage': ({ messages, maxTokens }) =>
    isListOf(messages, ({ role, content }) => isRole(role) && isObject(content)) && Number.isInteger(maxTokens),
  'elicitation/create': ({ message, requestedSchema }, revision) =>
    isString(message) && requestedSchema?.type === 'object' && isForm(requestedSchema.properties, revision),
};

/** The codes that 2026-07-28 defines between −32768 and −32000. */
const CODES = [-32_700, -32_603, -32_602, -32_601, -32_600, -32_022, -32_021, -32_020];

/**
 * Returns the violations of the protocol in a message of a server. If the message is a response, `method` is the method of its
 * request.
 */
export function violationsOf(message: Message, revision: Revision, method = ''): string[] {
  const problems = [...envelopeProblems(message), ...bodyProblems(message, revision, method)];
  return problems.map((problem) => `${problem}: ${JSON.stringify(message).slice(0, 2000)}`);
}

function envelopeProblems({ jsonrpc, id, method, result, error }: Message): string[] {
  const given = [method, result, error].filter((part) => part !== undefined);
  return [
    ...(jsonrpc === '2.0' ? [] : ['it is no JSON-RPC 2.0']),
    ...(id === undefined || isId(id) ? [] : ['its id is neither a string nor an integer']),
    ...(id === undefined && result !== undefined ? ['its result has no id'] : []),
    ...(given.length === 1 ? [] : ['it is not one of request, notification, result and error']),
  ];
}

function bodyProblems({ id, method, params = {}, result, error }: Message, revision: Revision, answered: string): string[] {
  if (error !== undefined) return errorProblems(error, revision);
  if (result !== undefined) return resultProblems(result, revision, answered);
  if (method === undefined) return [];
  if (id !== undefined)
    return isStateless(revision) ? ['a server of 2026-07-28 asked'] : requestProblems(method, params, revision);
  const known = isStateless(revision) ? STATELESS_NOTIFICATIONS : NOTIFICATIONS;
  return known[method]?.(params) === true ? [] : ['it is no notification of the revision'];
}

function errorProblems({ code, message }: RpcError, revision: Revision): string[] {
  const allowed = code > -32_000 || code < -32_768 || !isStateless(revision) || CODES.includes(code);
  return [
    ...(Number.isInteger(code) && isString(message) ? [] : ['its error has no integer code or no message']),
    ...(allowed ? [] : ['its code is reserved for others']),
  ];
}

function resultProblems(result: Result, revision: Revision, method: string): string[] {
  if (!isObject(result)) return ['its result is no object'];
  if (isStateless(revision) && result.resultType === 'input_required') return inputProblems(result, revision);
  return [
    ...(RESULTS[method]?.(result, revision) === false ? [`it is no result of ${method}`] : []),
    ...(isStateless(revision) ? statelessProblems(result, method) : []),
  ];
}

function statelessProblems(result: Result, method: string): string[] {
  return [
    ...(result.resultType === 'complete' ? [] : ['its result does not say whether it is complete']),
    ...(CACHEABLE.has(method) && !isCacheHint(result) ? ['it does not say how long it may be kept'] : []),
  ];
}

function inputProblems({ inputRequests, requestState, ttlMs, cacheScope }: Result, revision: Revision): string[] {
  if (inputRequests === undefined && requestState === undefined) return ['it neither asks nor has a state'];
  return [
    ...(ttlMs === undefined && cacheScope === undefined ? [] : ['it says how long it may be kept, and is not complete']),
    ...Object.values(inputRequests ?? {}).flatMap(({ method, params = {} }) => requestProblems(method, params, revision)),
  ];
}

function requestProblems(method: string, params: Params, revision: Revision): string[] {
  const known =
    REQUESTS[method]?.(params, revision) === true && (method !== 'elicitation/create' || since(revision, '2025-06-18'));
  return known && !(isStateless(revision) && method === 'ping') ? [] : [`${method} is no request of the revision`];
}

function isCacheHint({ ttlMs, cacheScope }: Result): boolean {
  return Number.isInteger(ttlMs) && Number(ttlMs) >= 0 && (cacheScope === 'public' || cacheScope === 'private');
}

function isId(value: unknown): boolean {
  return isString(value) || Number.isInteger(value);
}

function isRole(value: unknown): boolean {
  return value === 'user' || value === 'assistant';
}

function isImplementation(value: unknown): boolean {
  return isObject(value) && isString(value.name) && isString(value.version);
}

/** Whether all fields have kinds that the forms of the revision support. */
function isForm(fields: FormSchema['properties'], revision: Revision): boolean {
  const types = ['string', 'number', 'integer', 'boolean', ...(since(revision, '2025-11-25') ? ['array'] : [])];
  return isObject(fields) && Object.values(fields).every(({ type }) => types.includes(String(type)));
}

function isTool({ name, inputSchema, outputSchema }: Readonly<Record<string, unknown>>, revision: Revision): boolean {
  const objects = [inputSchema, ...(outputSchema === undefined ? [] : [outputSchema])];
  const typed = since(revision, '2026-07-28') ? [inputSchema] : objects;
  return isString(name) && objects.every(isObject) && typed.every((schema) => isObject(schema) && schema.type === 'object');
}

function isPrompt({ name, arguments: takes = [] }: Readonly<Record<string, unknown>>): boolean {
  return isString(name) && isListOf(takes, (argument) => isString(argument.name));
}

function isPromptMessage({ role, content }: Readonly<Record<string, unknown>>, revision: Revision): boolean {
  return isRole(role) && isObject(content) && isBlock(content, revision);
}

function isContents({ uri, text, blob }: Readonly<Record<string, unknown>>): boolean {
  return isString(uri) && (isString(text) || isBase64(blob));
}

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value);
}

/** Whether a block has a type that the revision supports, and all required members. */
function isBlock(block: Block, revision: Revision): boolean {
  const media = isBase64(block.data) && isString(block.mimeType);
  const kinds: Readonly<Record<string, boolean>> = {
    text: isString(block.text),
    image: media,
    audio: media && since(revision, '2025-03-26'),
    resource: isObject(block.resource) && isContents(block.resource),
    resource_link: isString(block.uri) && isString(block.name) && since(revision, '2025-06-18'),
  };
  return kinds[block.type ?? ''] === true;
}
