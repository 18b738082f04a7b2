import { fromJsonSchema } from '@modelcontextprotocol/server';

import { checkFreeForm, describeIssues, Issues } from '../../schema/issues.ts';
import { shorten } from '../../text/shorten.ts';

type Validator = ReturnType<typeof fromJsonSchema>;

/** Maximum length of a message: one call of 10 MiB can violate a schema in many places. */
const MAX_MESSAGE = 4000;

/** A validator is compiled once per schema, on first use. */
const validators = new WeakMap<object, Validator>();

/** Validates a value against a hand-written JSON Schema. Returns the violations, or `undefined`. */
export async function findSchemaViolation(schema: object, value: unknown): Promise<string | undefined> {
  const hostile = new Issues();
  if (checkFreeForm(value, hostile) !== value) return describeIssues(hostile.list);
  const { issues } = await (await getValidator(schema))['~standard'].validate(value);
  return issues
    ?.map(({ message }) =>
      shorten(message, MAX_MESSAGE).replaceAll(/\bdata\b(\/)?/g, (_, slash?: string) => (slash ? '/' : 'it')),
    )
    .join('\n');
}

/**
 * Returns the validator of a schema. Each schema has its own engine, because an engine keeps compiled schemas and confuses
 * schemas with the same `$id`. The engine is loaded with the first schema, because few servers need it and loading it slows
 * the start.
 */
async function getValidator(schema: object): Promise<Validator> {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv');
  const validator = fromJsonSchema({ ...schema }, new AjvJsonSchemaValidator());
  validators.set(schema, validator);
  return validator;
}
