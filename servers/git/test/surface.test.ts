import { compileServer } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { GitServer } from '../src/index.ts';

describe('the surface of the git server', () => {
  it('changes only on purpose', () => {
    const { tools, resources, templates, prompts } = compileServer(GitServer);
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

  it('fits into 25 KB of manifest', () => {
    const tools = [...compileServer(GitServer).tools.values()].map(({ definition }) => definition);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(25_000);
  });

  it('offers with --read-only what changes nothing', () => {
    const writing = [...compileServer(GitServer).tools.values()].filter(
      ({ definition }) => definition.annotations?.readOnlyHint !== true,
    );
    expect(writing.map(({ definition }) => definition.name)).toEqual([
      'git_add',
      'git_commit',
      'git_create_branch',
      'git_checkout',
    ]);
  });
});
