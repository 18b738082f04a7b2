import type { StandardResult, StandardSchema } from '../metadata/standard-schema.ts';
import { checkFreeForm, Issues, type Issue } from './issues.ts';
import { shorten } from '../text/shorten.ts';

/** Maximum number of issues in an error. */
const MAX_ISSUES = 50;
/** Maximum length of the message of an issue, in characters. */
const MAX_MESSAGE = 500;

export function isStandardSchema(value: unknown): value is StandardSchema {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && '~standard' in value && typeof value['~standard'] === 'object' && value['~standard'] !== null;
}

/** Converts a schema to JSON Schema. Returns the reason instead if the conversion is impossible. */
export function convertStandardSchema({ '~standard': standard }: StandardSchema, side: 'input' | 'output'): Converted {
  // An older version of the library lacks the extension for JSON Schema at run time, although the type requires it.
  const converter: Partial<typeof standard>['jsonSchema'] = standard.jsonSchema;
  if (typeof converter?.[side] !== 'function') {
    const remedy = 'use zod 4.2 or later, ArkType, or toStandardJsonSchema() of @valibot/to-json-schema';
    return { problem: `the library "${standard.vendor}" does not convert it to JSON Schema; ${remedy}` };
  }
  try {
    // Version 2020-12 is the default, so the keyword would only take space.
    const { $schema: _, ...schema } = converter[side]({ target: 'draft-2020-12' });
    return { schema };
  } catch (error) {
    return { problem: `the library "${standard.vendor}" cannot convert it to JSON Schema: ${String(error)}` };
  }
}

interface Converted {
  readonly schema?: Record<string, unknown>;
  readonly problem?: string;
}

/**
 * Validates arguments. Resolves to the value of the schema, with its defaults, or to the first 50 issues, followed by one
 * entry that counts the others.
 */
export async function parseWithSchema({ '~standard': standard }: StandardSchema, value: unknown): Promise<Validated<unknown>> {
  const hostile = new Issues();
  return checkFreeForm(value, hostile) === value ? toValidated(await standard.validate(value)) : { issues: hostile.list };
}

/**
 * Validates a result. Returns its value, or the first 50 issues, followed by one entry that counts the others.
 *
 * @throws TypeError for an asynchronous schema, and for a schema that returns no object
 */
export function projectWithSchema({ '~standard': standard }: StandardSchema, value: object): Validated<Record<string, unknown>> {
  const result = standard.validate(value);
  if ('then' in result) {
    // Without a listener, a rejection would end the process.
    result.then(undefined, () => undefined);
    throw new TypeError('the output schema has an asynchronous check, which is not supported, or a check that threw an error');
  }
  const validated = toValidated(result);
  if (validated.issues !== undefined) return validated;
  if (typeof validated.value === 'object' && validated.value !== null) return { value: { ...validated.value } };
  throw new TypeError('the output schema returned a value that is not an object');
}

type Validated<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly Issue[] };

function toValidated(result: StandardResult<unknown>): Validated<unknown> {
  if (result.issues === undefined) return { value: result.value };
  const issues = result.issues
    .slice(0, MAX_ISSUES)
    .map(({ path = [], message }) => ({ path: path.map(toPart), message: shorten(message, MAX_MESSAGE) }));
  const unnamed = result.issues.length - issues.length;
  return { issues: unnamed === 0 ? issues : [...issues, { path: [], message: `… and ${unnamed} more` }] };
}

function toPart(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === 'object' ? segment.key : segment;
  return typeof key === 'number' ? key : shorten(String(key));
}
