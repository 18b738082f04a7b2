import { inputRequired, type InputRequest } from '@modelcontextprotocol/server';

import { DefinitionError } from '../../metadata/definition-error.ts';
import type { Constructor } from '../../metadata/lineage.ts';
import { ClassSchema } from '../../schema/class-schema.ts';
import { describeIssues } from '../../schema/issues.ts';
import { isPlainObject, type JsonSchema, type ObjectSchema } from '../../schema/json-schema.ts';
import { findSchemaViolation } from '../validation/raw-schema.ts';

/** JSON Schema of a form, in the flat subset that elicitation supports. */
export interface FormSchema {
  /** Always `object`. */
  readonly type: 'object';
  /** Strings, numbers, booleans and choices, by name. */
  readonly properties: Readonly<Record<string, object>>;
  /** Names of the required fields. Default: none. */
  readonly required?: readonly string[];
}

type Read<Content> = { readonly content: Content } | { readonly problem: string };

/** Form for the user, with the code that reads the answer. */
export interface Form<Content> {
  request(message: string): InputRequest;
  read(content: object): Read<Content> | Promise<Read<Content>>;
}

/** Keywords that clients support, by type. Other keywords are checked only when the answer is read. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'format', 'enum', 'oneOf', 'enumNames'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
};

/** Formats that clients support. */
const FORMATS = new Set<unknown>(['email', 'uri', 'date', 'date-time']);

/** Creates the form of a class. An accepted answer is an instance of the class. */
export function createClassForm<Content extends object>(target: Constructor<Content>): Form<Content> {
  const schema = ClassSchema.of(target);
  if (schema.problems.length > 0) throw new DefinitionError(schema.problems);
  refuseSecrets(schema.input.properties, target.name);
  const requested = flattenSchema(schema.input);
  return {
    request: (message) => createRequest(message, requested, target.name),
    read(content) {
      const parsed = schema.parse(content);
      return parsed.issues === undefined ? { content: parsed.value } : { problem: describeIssues(parsed.issues) };
    },
  };
}

/** Creates the form of a hand-written schema. */
export function createSchemaForm(schema: FormSchema): Form<Readonly<Record<string, unknown>>> {
  refuseSecrets(schema.properties, 'the form');
  return {
    request: (message) => createRequest(message, schema, 'the form'),
    async read(content) {
      const problem = await findSchemaViolation(schema, content);
      return problem === undefined && isPlainObject(content) ? { content } : { problem: problem ?? 'is not an object' };
    },
  };
}

/** Creates the request for a form. The SDK checks the schema of a form only if it is given as a Standard Schema. */
function createRequest(message: string, schema: object, place: string): InputRequest {
  const json = (): Record<string, unknown> => ({ ...schema });
  const validate = (value: unknown): { readonly value: unknown } => ({ value });
  const requestedSchema = {
    '~standard': { version: 1 as const, vendor: '@org/mcp-decorators', validate, jsonSchema: { input: json, output: json } },
  };
  try {
    return inputRequired.elicit({ message, requestedSchema });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new DefinitionError([`${place}: is not a valid form; use only flat fields: ${detail}`]);
  }
}

function flattenSchema({ properties, required }: ObjectSchema): object {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, flattenField(property)])),
    ...(required !== undefined && { required }),
  };
}

function flattenField(property: JsonSchema): object {
  const allowed = new Set(['type', 'title', 'description', 'default', ...(KEYWORDS[String(property.type)] ?? [])]);
  const kept = pickKeywords(property, (keyword) => allowed.has(keyword));
  return property.items === undefined ? kept : { ...kept, items: pickChoices(property.items) };
}

/** Returns the keywords for the choices of a list. Either all choices have a title, or no choice has one. */
function pickChoices(items: JsonSchema): object {
  return pickKeywords(items, (keyword) => (items.anyOf === undefined ? ['type', 'enum'].includes(keyword) : keyword === 'anyOf'));
}

function pickKeywords(schema: JsonSchema, keeps: (keyword: string) => boolean): object {
  const entries = Object.entries(schema).filter(
    ([keyword, value]) => keeps(keyword) && (keyword !== 'format' || FORMATS.has(value)),
  );
  return Object.fromEntries(entries);
}

/** Words or sequences of words in a field's name or title that indicate a secret. */
const SECRETS: readonly (readonly string[])[] = [
  ...['password', 'passwords', 'passwd', 'passphrase', 'passcode', 'secret', 'secrets', 'credential', 'credentials'].map(
    (word) => [word],
  ),
  ...['apikey', 'cvv', 'cvc'].map((word) => [word]),
  ...['api', 'access', 'private', 'secret', 'encryption'].map((kind) => [kind, 'key']),
  ...['access', 'auth', 'api', 'bearer', 'refresh', 'session', 'id'].map((kind) => [kind, 'token']),
  ['card', 'number'],
  ['credit', 'card'],
];

/**
 * Rejects a form with a text field for a secret: the answer passes through the client, its logs and possibly its model
 * (2025-11-25, "Form Mode Security").
 *
 * @throws DefinitionError
 */
function refuseSecrets(properties: Readonly<Record<string, unknown>>, place: string): void {
  const secret = Object.entries(properties).find(([name, field]) => isText(field) && isSecret(name, field));
  if (secret === undefined) return;
  throw new DefinitionError([
    `${place}.${secret[0]}: a form must not ask for a secret, because the client would see it; use context.elicitUrl(), ` +
      'with a page of your own on which the user enters the secret',
  ]);
}

/** Whether a field is for any text. A choice cannot be a secret, because the form contains its values. */
function isText(field: unknown): field is Readonly<Record<string, unknown>> {
  if (!isPlainObject(field)) return false;
  return field['type'] === 'string' && field['enum'] === undefined && field['oneOf'] === undefined;
}

function isSecret(name: string, { format, title }: Readonly<Record<string, unknown>>): boolean {
  return format === 'password' || namesSecret(name) || (typeof title === 'string' && namesSecret(title));
}

function namesSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return (
    words.join('') === 'token' ||
    SECRETS.some((secret) => words.some((_, from) => secret.every((word, at) => words[from + at] === word)))
  );
}
