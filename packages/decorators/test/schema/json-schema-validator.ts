import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import type { JsonSchema } from '../../src/schema/json-schema.ts';

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
// Known to be a word only: what it means is up to whoever writes it in `@Field({ format })`.
ajv.addFormat('note-id', true);
ajv.addKeyword('x-mcp-header');

/** A JSON Schema as another implementation understands it: 2020-12 with formats, and strict about keywords that mean nothing. */
export function advertised(schema: JsonSchema): (value: unknown) => boolean {
  const validate = ajv.compile<unknown>({ ...schema });
  return (value) => validate(value);
}
