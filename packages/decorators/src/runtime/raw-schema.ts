import { fromJsonSchema } from '@modelcontextprotocol/server';

import { harmless } from '../schema/free-form.ts';
import { Issues } from '../schema/issues.ts';
import { shorten } from '../shorten.ts';
import { describeIssues } from './describe-issues.ts';

type Validator = ReturnType<typeof fromJsonSchema>;

/** More is not shown: one call can break a schema in as many places as its 10 MiB have room for. */
const SHOWN = 4000;

/** A validator is compiled once for each schema, when it is first asked. */
const validators = new WeakMap<object, Validator>();

/** What is wrong with a value by a JSON Schema written by hand; `undefined` if nothing is. */
export async function violationOf(schema: object, value: unknown): Promise<string | undefined> {
  const hostile = new Issues();
  if (harmless(value, hostile) !== value) return describeIssues(hostile.list);
  const { issues } = await (await validatorOf(schema))['~standard'].validate(value);
  return issues
    ?.map(({ message }) => shorten(message, SHOWN).replaceAll(/\bdata\b(\/)?/g, (_, slash?: string) => (slash ? '/' : 'it')))
    .join('\n');
}

/**
 * With an engine of its own, because an engine keeps what it compiles, and takes schemas of one `$id` for the same; loaded with the
 * first schema, because few servers have one and all would wait for it when they start.
 */
async function validatorOf(schema: object): Promise<Validator> {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv');
  const validator = fromJsonSchema({ ...schema }, new AjvJsonSchemaValidator());
  validators.set(schema, validator);
  return validator;
}
