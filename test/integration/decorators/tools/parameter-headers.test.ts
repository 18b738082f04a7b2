import { createMcpHandler } from '@modelcontextprotocol/server';
import { McpServer, serverFactory, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { httpCall } from '../../support/http-call.ts';

const REGION = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };

@McpServer({ name: 'regions', version: '1.0.0' })
class Regions {
  @Tool({ description: 'Store something', inputSchema: REGION }) store(given: object): string {
    return `stored in ${String(Reflect.get(given, 'region'))}`;
  }
}

const MISMATCH = [400, { error: { code: -32_020 } }];

async function call(tool: string, args: object, headers: Readonly<Record<string, string>>): Promise<[number, unknown]> {
  const handler = createMcpHandler(serverFactory(new Regions()));
  const response = await handler.fetch(httpCall({ name: tool, arguments: args }, headers));
  return [response.status, await response.json()];
}

describe('a header that repeats an argument', () => {
  it.each([
    ['repeats the argument', 'eu-west'],
    ['repeats the argument in base64', `=?base64?${btoa('eu-west')}?=`],
  ])('does not prevent the call if it %s', async (_, header) => {
    expect(await call('store', { region: 'eu-west' }, { 'mcp-param-region': header })).toMatchObject([
      200,
      { result: { content: [{ text: 'stored in eu-west' }] } },
    ]);
  });

  it.each<[attack: string, headers: Readonly<Record<string, string>>]>([
    ['has another value', { 'mcp-param-region': 'us-east' }],
    ['is missing', {}],
    ['is broken base64', { 'mcp-param-region': '=?base64?%%%?=' }],
  ])('causes the call to be rejected if it %s', async (_, headers) => {
    expect(await call('store', { region: 'eu-west' }, headers)).toMatchObject(MISMATCH);
  });

  it('is ignored for a tool that does not exist', async () => {
    expect(await call('toString', { region: 'eu-west' }, {})).toMatchObject([200, { error: { code: -32_602 } }]);
  });
});
