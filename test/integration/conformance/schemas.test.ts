import { describe, expect, it } from 'vitest';

import { CASES, sharedSession } from './conformance-cases.ts';

const CONTACT = JSON.parse(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {
    "address": {
      "$anchor": "addressDef",
      "type": "object",
      "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
    }
  },
  "properties": {
    "name": { "type": "string" },
    "address": { "$ref": "#/$defs/address" },
    "contactMethod": { "type": "string", "enum": ["phone", "email"] },
    "phone": { "type": "string" },
    "email": { "type": "string" }
  },
  "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
  "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
  "then": { "required": ["phone"] },
  "else": { "required": ["email"] },
  "additionalProperties": false
}`);

describe.each(CASES)('a schema of JSON Schema 2020-12, over $name,', (each) => {
  const session = sharedSession(each);

  it('is sent to the client unchanged', async () => {
    const { tools } = await session().client.listTools();
    expect(tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema).toEqual(CONTACT);
  });

  it('is used to validate arguments', async () => {
    const contact = { contactMethod: 'phone', phone: '555', address: { city: 'Paris' } };
    expect(await session().text('json_schema_2020_12_tool', contact)).toBe(
      `JSON Schema 2020-12 tool called with: ${JSON.stringify(contact)}`,
    );
    const wrong = [{}, { contactMethod: 'phone', email: 'a@b' }, { phone: '555' }, { ...contact, address: { city: 1 } }];
    for (const given of wrong)
      expect(await session().fails('json_schema_2020_12_tool', given)).toContain('INVALID_ARGUMENTS: json_schema_2020_12_tool');
  });
});

describe.each(CASES)('an argument that an HTTP header repeats, over $name,', (each) => {
  const session = sharedSession(each);

  it('is marked in the schema, and passed to the tool like any other argument', async () => {
    const { tools } = await session().client.listTools();
    expect(tools.find(({ name }) => name === 'test_x_mcp_header')?.inputSchema.properties).toEqual({
      region: { type: 'string', 'x-mcp-header': 'Region' },
      level: { type: 'integer' },
    });
    expect(await session().text('test_x_mcp_header', { region: 'eu-west', level: 1 })).toBe('region: eu-west');
  });
});
