import { isConstructor, type Constructor } from '../metadata/lineage.ts';
import { isJsonValue, isPlainObject } from '../schema/json-schema.ts';
import { isStandardSchema } from '../schema/standard-schema.ts';
import type { RawSchema } from './compiled-server.ts';
import { isScope, isSetName } from './names.ts';

/** Returns the problems with the value of an option; each contains the option's name. */
type Check = (value: unknown, name: string) => readonly string[];

/** Checks of options, by the option's name. */
export type Checks = Readonly<Record<string, Check>>;

/** Maximum delay of a JavaScript timer in milliseconds. */
const MAX_MS = 2_147_483_647;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const text = mustBe('a string', (value) => typeof value === 'string');
const flag = mustBe('true or false', (value) => typeof value === 'boolean');
const positive = mustBe('an integer of at least 1', (value) => Number.isSafeInteger(value) && Number(value) > 0);
const inputClass = mustBe('a class', isInputClass);
const inputClassOrNone = mustBe('a class', (value) => value === null || isInputClass(value));
const toolInput = mustBe(
  'a class or a Standard Schema',
  (value) => value === null || isStandardSchema(value) || isInputClass(value),
);
const toolOutput = mustBe('a class or a Standard Schema', (value) => isStandardSchema(value) || isInputClass(value));
const rawSchema = mustBe('a JSON Schema of type "object"', isRawSchema);

const icon = fields(
  {
    src: mustBe('an https: or data: URI', isIconSource),
    mimeType: text,
    sizes: listOf(
      mustBe('a size such as 48x48, or "any"', (value) => typeof value === 'string' && /^(\d+x\d+|any)$/.test(value)),
    ),
    theme: oneOf('light', 'dark'),
  },
  ['src'],
);
const jsonObject = mustBe('a JSON object', (value) => isPlainObject(value) && isJson(value));
const settings = byName(jsonObject);
export const META_CHECK: Checks = { _meta: keyed(checkMetaKey, jsonObject) };

const shown: Checks = {
  name: mustBe('a non-empty string', (value) => typeof value === 'string' && value !== ''),
  title: text,
  description: text,
  icons: listOf(icon),
  ...META_CHECK,
};
const cache = fields({
  ttlMs: mustBe('an integer of at least 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  cacheScope: oneOf('public', 'private'),
});
const limits: Checks = {
  timeoutMs: mustBe(`an integer from 1 to ${MAX_MS}`, isTimeLimit),
  maxConcurrent: positive,
  rateLimit: fields({ calls: positive, perSeconds: positive }, ['calls', 'perSeconds']),
};
const toolHints = fields({ readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag, openWorldHint: flag });
const resourceAnnotations = fields({
  audience: listOf(oneOf('user', 'assistant')),
  priority: mustBe('a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1),
  lastModified: mustBe('a date and time such as 2026-07-28T12:00:00Z', isDateTime),
});

export const SERVER_CHECKS: Checks = {
  ...shown,
  version: text,
  websiteUrl: mustBe('a URL', (value) => typeof value === 'string' && URL.canParse(value)),
  instructions: text,
  extensions: keyed(checkExtensionId, settings),
  experimental: settings,
  cache,
  pageSize: positive,
};

const origins = listOf(mustBe('an origin such as https://api.example.com', isOrigin));
const viewChecks: Checks = {
  csp: fields({ connectDomains: origins, resourceDomains: origins, frameDomains: origins, baseUriDomains: origins }),
  permissions: listOf(oneOf('camera', 'microphone', 'geolocation', 'clipboardWrite')),
  prefersBorder: flag,
  calls: listOf(text),
};

export const TOOL_CHECKS: Checks = {
  ...shown,
  ...limits,
  annotations: toolHints,
  input: toolInput,
  output: toolOutput,
  inputSchema: rawSchema,
  scopes: listOf(mustBe('an OAuth scope: printable ASCII without spaces, double quotes and backslashes', isScope)),
  sets: listOf(mustBe('the name of a set: lower-case letters, digits, - and _, other than "all"', isSetName)),
  app: mustBe('the uri of a view, such as ui://mcp-notes/board', isViewUri),
  visibility: listOf(oneOf('model', 'app')),
};
export const RESOURCE_CHECKS: Checks = {
  ...shown,
  mimeType: text,
  annotations: resourceAnnotations,
  cache,
  // `@App` takes these settings as its own options, so the problems name an option without the prefix `view.`.
  view: (value) => (isPlainObject(value) ? checkOptions(viewChecks, value) : []),
  variables: inputClass,
};
export const PROMPT_CHECKS: Checks = { ...shown, args: inputClassOrNone };

/**
 * Returns the problems with options. Ignores options without a check, because a newer copy of this package may define
 * them.
 */
export function checkOptions(checks: Checks, options: object, path = ''): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined || !Object.hasOwn(checks, name) ? [] : (checks[name]?.(value, `${path}${name}`) ?? []),
  );
}

/** Whether a value is a valid time limit of a call in milliseconds. */
export function isTimeLimit(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MAX_MS;
}

/** Whether a value can describe an input or output: any class except the classes of JSON values. */
export function isInputClass(value: unknown): value is Constructor {
  return isConstructor(value) && ![String, Number, Boolean, Array].some((builtin) => builtin === value);
}

/** Whether a value is a valid schema of a tool's arguments. */
export function isRawSchema(value: unknown): value is RawSchema {
  return isPlainObject(value) && value['type'] === 'object' && isJson(value);
}

function mustBe(expected: string, accepts: (value: unknown) => boolean): Check {
  return (value, name) => (accepts(value) ? [] : [`${name} must be ${expected}`]);
}

function oneOf(...values: readonly string[]): Check {
  return mustBe(values.join(' or '), (value) => typeof value === 'string' && values.includes(value));
}

function listOf(check: Check): Check {
  return (value, name) =>
    Array.isArray(value) ? value.flatMap((item, position) => check(item, `${name}.${position}`)) : [`${name} must be an array`];
}

function fields(checks: Checks, required: readonly string[] = []): Check {
  return (value, name) => {
    if (!isPlainObject(value)) return [`${name} must be an object`];
    const missing = required.filter((field) => value[field] === undefined).map((field) => `${name}.${field} is missing`);
    return [...missing, ...checkOptions(checks, value, `${name}.`)];
  };
}

/** Returns a check that applies `check` to an object and, if it finds no problem, `problemOf` to each key. */
function keyed(problemOf: (key: string) => string | undefined, check: Check): Check {
  return (value, name) => {
    const found = check(value, name);
    if (found.length > 0 || !isPlainObject(value)) return found;
    return Object.keys(value).flatMap((key) => {
      const problem = problemOf(key);
      return problem === undefined ? [] : [`${name}: "${key}" ${problem}`];
    });
  };
}

function byName(check: Check): Check {
  return (value, name) =>
    isPlainObject(value)
      ? Object.entries(value).flatMap(([key, entry]) => check(entry, `${name}.${key}`))
      : [`${name} must be an object`];
}

function isIconSource(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && ['https:', 'data:'].includes(new URL(value).protocol);
}

/** Whether a value is the URI of a view of MCP Apps. */
export function isViewUri(value: unknown): boolean {
  return typeof value === 'string' && /^ui:\/\/[^/?#]+\/[^?#]+$/.test(value) && URL.canParse(value);
}

/** Whether a value is an origin: a URL without a path, whose host may begin with `*.`. */
function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && /^(?:https?|wss?):\/\/(?:\*\.)?[\w.-]+(?::\d+)?$/.test(value);
}

function isDateTime(value: unknown): boolean {
  const [, day] = typeof value === 'string' ? (DATE_TIME.exec(value) ?? []) : [];
  if (day === undefined || Number.isNaN(Date.parse(String(value)))) return false;
  // `Date.parse` converts February 30 to March 2, so the day is compared.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function isJson(value: unknown): boolean {
  try {
    return isJsonValue(value);
  } catch {
    // `isJsonValue` overflows the stack for a circular value.
    return false;
  }
}

const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const PREFIX = new RegExp(`^${LABEL}(?:\\.${LABEL})*/$`);
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;
const RESERVED_PREFIX = /^[^./]+\.(?:modelcontextprotocol|mcp)[./]/;

/** Prefix for keys of official extensions. */
const EXTENSIONS_PREFIX = 'io.modelcontextprotocol/';

/** Keys that the protocol itself reads or writes. */
const PROTOCOL_KEYS = new Set([
  'progressToken',
  'traceparent',
  'tracestate',
  'baggage',
  ...['protocolVersion', 'clientInfo', 'clientCapabilities', 'serverInfo', 'logLevel', 'subscriptionId'].map(
    (name) => `${EXTENSIONS_PREFIX}${name}`,
  ),
]);

/** Returns a problem with a key of `_meta`, by the section "General fields: _meta" of the specification, or `undefined`. */
function checkMetaKey(key: string): string | undefined {
  const slash = key.indexOf('/') + 1;
  if (!NAME.test(key.slice(slash)) || (slash > 0 && !PREFIX.test(key.slice(0, slash))))
    return 'is not a valid key such as com.example/name';
  if (PROTOCOL_KEYS.has(key)) return 'is a key of the protocol itself';
  if (RESERVED_PREFIX.test(key) && !key.startsWith(EXTENSIONS_PREFIX)) return 'has a prefix that the protocol reserves';
  return undefined;
}

/** Returns a problem with the identifier of an extension, or `undefined`. An identifier is a key of `_meta` with a prefix. */
function checkExtensionId(identifier: string): string | undefined {
  return identifier.includes('/') ? checkMetaKey(identifier) : 'has no prefix such as com.example/';
}
