import { inputRequired, type InputRequest } from '@modelcontextprotocol/server';

import { DefinitionError } from '../../errors.ts';
import type { Constructor } from '../../metadata/lineage.ts';
import { ClassSchema } from '../../schema/class-schema.ts';
import { isPlainObject, type JsonSchema, type ObjectSchema } from '../../schema/json-schema.ts';
import { describeIssues } from '../describe-issues.ts';
import { violationOf } from '../raw-schema.ts';
import { refuseSecrets } from './secret-fields.ts';

/** A form as JSON Schema, in the flat subset that elicitation has. */
export interface FormSchema {
  /** Always an object. */
  readonly type: 'object';
  /** Strings, numbers, booleans and choices, by name. */
  readonly properties: Readonly<Record<string, object>>;
  /** Names of the fields that have to be filled in. Default: none. */
  readonly required?: readonly string[];
}

type Read<Content> = { readonly content: Content } | { readonly problem: string };

/** What the user is asked to fill in, and how the answer is read. */
export interface Form<Content> {
  request(message: string): InputRequest;
  read(content: object): Read<Content> | Promise<Read<Content>>;
}

/** The keywords that a field may have, by its type; others are enforced when the answer is read. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'format', 'enum', 'oneOf', 'enumNames'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
};

/** The formats that clients know how to ask for. */
const FORMATS = new Set<unknown>(['email', 'uri', 'date', 'date-time']);

/** The form of a class, whose accepted answer is an instance of it. */
export function formOfClass<Content extends object>(target: Constructor<Content>): Form<Content> {
  const schema = ClassSchema.of(target);
  if (schema.problems.length > 0) throw new DefinitionError(schema.problems);
  refuseSecrets(schema.input.properties, target.name);
  const requested = flat(schema.input);
  return {
    request: (message) => requestOf(message, requested, target.name),
    read(content) {
      const parsed = schema.parse(content);
      return parsed.issues === undefined ? { content: parsed.value } : { problem: describeIssues(parsed.issues) };
    },
  };
}

/** The form of a schema written by hand. */
export function formOfSchema(schema: FormSchema): Form<Readonly<Record<string, unknown>>> {
  refuseSecrets(schema.properties, 'the form');
  return {
    request: (message) => requestOf(message, schema, 'the form'),
    async read(content) {
      const problem = await violationOf(schema, content);
      return problem === undefined && isPlainObject(content) ? { content } : { problem: problem ?? 'is not an object' };
    },
  };
}

/** The SDK refuses what a form cannot have, if it is given as a Standard Schema. */
function requestOf(message: string, schema: object, place: string): InputRequest {
  const json = (): Record<string, unknown> => ({ ...schema });
  const validate = (value: unknown): { readonly value: unknown } => ({ value });
  const requestedSchema = {
    '~standard': { version: 1 as const, vendor: '@org/mcp-decorators', validate, jsonSchema: { input: json, output: json } },
  };
  try {
    return inputRequired.elicit({ message, requestedSchema });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new DefinitionError([`${place}: cannot be asked of a user, give it flat fields: ${detail}`]);
  }
}

function flat({ properties, required }: ObjectSchema): object {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, field(property)])),
    ...(required !== undefined && { required }),
  };
}

function field(property: JsonSchema): object {
  const allowed = new Set(['type', 'title', 'description', 'default', ...(KEYWORDS[String(property.type)] ?? [])]);
  const kept = picked(property, (keyword) => allowed.has(keyword));
  return property.items === undefined ? kept : { ...kept, items: choices(property.items) };
}

/** Each of a list's choices has a title, or none has. */
function choices(items: JsonSchema): object {
  return picked(items, (keyword) => (items.anyOf === undefined ? ['type', 'enum'].includes(keyword) : keyword === 'anyOf'));
}

function picked(schema: JsonSchema, keeps: (keyword: string) => boolean): object {
  const entries = Object.entries(schema).filter(
    ([keyword, value]) => keeps(keyword) && (keyword !== 'format' || FORMATS.has(value)),
  );
  return Object.fromEntries(entries);
}
