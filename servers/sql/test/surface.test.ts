import { compileServer } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { PostgresServer } from '../src/index.ts';

describe('the surface of the SQL server', () => {
  it('changes only on purpose', () => {
    const { tools, resources, templates, prompts } = compileServer(PostgresServer);
    expect({
      tools: [...tools.values()].map(({ definition: { name, annotations, inputSchema, outputSchema } }) => ({
        name,
        hints: Object.entries(annotations ?? {}).flatMap(([hint, value]) => (value ? [hint] : [])),
        arguments: Object.keys(inputSchema.properties),
        result: Object.keys(outputSchema?.properties ?? {}),
        schemaBytes: JSON.stringify([inputSchema, outputSchema]).length,
      })),
      resources: [...resources.keys(), ...templates.map(({ definition }) => definition.uriTemplate)],
      prompts: [...prompts.keys()],
    }).toMatchSnapshot();
  });

  it('fits into 20 KB of manifest', () => {
    const tools = [...compileServer(PostgresServer).tools.values()].map(({ definition }) => definition);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(20_000);
  });
});
