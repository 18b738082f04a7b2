import { isConstructor, type Constructor } from '../metadata/lineage.ts';
import { isJsonValue, isPlainObject } from '../schema/json-schema.ts';
import { isScope } from '../scope.ts';
import { extensionProblem, metaKeyProblem } from './meta-keys.ts';
import { isSetName } from './names.ts';
import type { RawSchema } from './primitives.ts';

/** What is wrong with the value of an option, each with the option's name. */
type Check = (value: unknown, name: string) => readonly string[];

/** Checks by the name of an option. */
export type Checks = Readonly<Record<string, Check>>;

/** Longer than this a timer of JavaScript cannot be set. */
const MAX_MS = 2_147_483_647;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const text = mustBe('a string', (value) => typeof value === 'string');
const flag = mustBe('true or false', (value) => typeof value === 'boolean');
const positive = mustBe('a whole number from 1 on', (value) => Number.isSafeInteger(value) && Number(value) > 0);
const inputClass = mustBe('a class', isInputClass);
const inputClassOrNone = mustBe('a class', (value) => value === null || isInputClass(value));
const rawSchema = mustBe('a JSON Schema of type "object"', isRawSchema);

const icon = fields(
  {
    src: mustBe('an https: or data: URI', isIconSource),
    mimeType: text,
    sizes: listOf(mustBe('like 48x48, or any', (value) => typeof value === 'string' && /^(\d+x\d+|any)$/.test(value))),
    theme: oneOf('light', 'dark'),
  },
  ['src'],
);
const jsonObject = mustBe('a JSON object', (value) => isPlainObject(value) && isJson(value));
const settings = byName(jsonObject);
export const META_CHECK: Checks = { _meta: keyed(metaKeyProblem, jsonObject) };

const shown: Checks = {
  name: mustBe('a string that is not empty', (value) => typeof value === 'string' && value !== ''),
  title: text,
  description: text,
  icons: listOf(icon),
  ...META_CHECK,
};
const cache = fields({
  ttlMs: mustBe('a whole number from 0 on', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  cacheScope: oneOf('public', 'private'),
});
const limits: Checks = {
  timeoutMs: mustBe(`a whole number from 1 to ${MAX_MS}`, isTimeout),
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
  extensions: keyed(extensionProblem, settings),
  experimental: settings,
  cache,
  pageSize: positive,
};

export const TOOL_CHECKS: Checks = {
  ...shown,
  ...limits,
  annotations: toolHints,
  input: inputClassOrNone,
  output: inputClass,
  inputSchema: rawSchema,
  scopes: listOf(mustBe('an OAuth scope: printable ASCII without spaces, double quotes and backslashes', isScope)),
  sets: listOf(mustBe('the name of a set: lower-case letters, digits, - and _, other than "all"', isSetName)),
};
export const RESOURCE_CHECKS: Checks = {
  ...shown,
  mimeType: text,
  annotations: resourceAnnotations,
  cache,
  variables: inputClass,
};
export const PROMPT_CHECKS: Checks = { ...shown, args: inputClassOrNone };

/** What is wrong with options; an option without a check, of a newer copy of this package, is left alone. */
export function optionProblems(checks: Checks, options: object, path = ''): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined || !Object.hasOwn(checks, name) ? [] : (checks[name]?.(value, `${path}${name}`) ?? []),
  );
}

/** Whether something can be the time limit of a call, in milliseconds. */
export function isTimeout(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MAX_MS;
}

/** Whether something can describe an input or output: a class, other than those of JSON's own values. */
export function isInputClass(value: unknown): value is Constructor {
  return isConstructor(value) && ![String, Number, Boolean, Array].some((builtin) => builtin === value);
}

/** Whether something can be sent as the schema of a tool's arguments. */
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
    return [...missing, ...optionProblems(checks, value, `${name}.`)];
  };
}

/** An object that a check accepts, and its keys. */
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

function isDateTime(value: unknown): boolean {
  const [, day] = typeof value === 'string' ? (DATE_TIME.exec(value) ?? []) : [];
  if (day === undefined || Number.isNaN(Date.parse(String(value)))) return false;
  // A 30th of February is parsed as the 2nd of March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function isJson(value: unknown): boolean {
  try {
    return isJsonValue(value);
  } catch {
    // A value that contains itself.
    return false;
  }
}
