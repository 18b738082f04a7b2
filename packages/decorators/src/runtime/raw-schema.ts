import { fromJsonSchema } from '@modelcontextprotocol/server';

type Validator = ReturnType<typeof fromJsonSchema>;

/** A validator is compiled once for each schema, when it is first asked. */
const validators = new WeakMap<object, Validator>();

/** What is wrong with a value by a JSON Schema written by hand; `undefined` if nothing is. */
export async function violationOf(schema: object, value: unknown): Promise<string | undefined> {
  const validator = validators.get(schema) ?? fromJsonSchema({ ...schema });
  validators.set(schema, validator);
  const { issues } = await validator['~standard'].validate(value);
  return issues
    ?.map(({ message }) => message.replaceAll(/\bdata\b(\/)?/g, (_, slash?: string) => (slash ? '/' : 'it')))
    .join('\n');
}
