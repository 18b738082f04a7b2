import { Field, Tool } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString } from 'class-validator';

/** A schema with keywords of JSON Schema 2020-12 that input classes do not generate. */
const CONTACT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, in an object that is never awaited
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

export class Region {
  @Field({ header: 'Region' }) @IsOptional() @IsString() region?: string;
  @IsOptional() @IsInt() level?: number;
}

/** Tools whose schemas must be sent to clients unchanged. */
export class SchemaTools {
  @Tool({ name: 'json_schema_2020_12_tool', description: 'Takes a contact by JSON Schema 2020-12', inputSchema: CONTACT })
  contact(given: object): string {
    return `JSON Schema 2020-12 tool called with: ${JSON.stringify(given)}`;
  }

  @Tool({ description: 'Takes a region that an HTTP header repeats' })
  testXMcpHeader({ region }: Region): string {
    return `region: ${region}`;
  }
}
