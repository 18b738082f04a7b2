import { McpServer, Prompt, Resource, Tool } from '@org/mcp-decorators';
import { connect } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { recordWire } from '../../support/recorders.ts';
import { Wire } from '../../support/wire.ts';

@McpServer({ name: 'cached', version: '1.0.0', cache: { ttlMs: 60_000, cacheScope: 'public' } })
class Cached {
  @Tool({ description: 'One' }) one(): void {}
  @Prompt({ description: 'Two' }) two(): string {
    return 'two';
  }
  @Resource({ uri: 'cached://lasting', cache: { ttlMs: 5000, cacheScope: 'public' } }) lasting(): string {
    return 'lasting';
  }
  @Resource({ uri: 'cached://fleeting' }) fleeting(): string {
    return 'fleeting';
  }
  @Resource({ uri: 'cached://own', cache: { ttlMs: 5000 } }) own(): object {
    return { contents: [{ uri: 'cached://own', text: 'own' }], ttlMs: 7, cacheScope: 'private' };
  }
}

describe('a cache hint', () => {
  it.each([
    ['server/discover', 'public'],
    ['tools/list', 'private'],
    ['prompts/list', 'public'],
    ['resources/list', 'public'],
    ['resources/templates/list', 'public'],
  ])('is included in the response to %s: %s', async (method, cacheScope) => {
    await using wire = await Wire.to(new Cached());
    expect(await wire.send({ method })).toMatchObject({ result: { ttlMs: 60_000, cacheScope } });
  });

  it.each([
    ['cached://lasting', { ttlMs: 5000, cacheScope: 'public' }],
    ['cached://fleeting', { ttlMs: 0, cacheScope: 'private' }],
    ['cached://own', { ttlMs: 7, cacheScope: 'private' }],
  ])('of the resource %s is included with its contents', async (uri, hint) => {
    await using wire = await Wire.to(new Cached());
    expect(await wire.send({ method: 'resources/read', params: { uri } })).toMatchObject({ result: hint });
  });

  it('is not sent in a session, which does not support cache hints', async () => {
    await using session = await connect(new Cached(), { era: 'legacy' });
    const messages = recordWire(session);
    await session.client.listTools();
    await session.client.readResource({ uri: 'cached://lasting' });
    await session.client.readResource({ uri: 'cached://own' });
    expect(JSON.stringify(messages)).not.toMatch(/ttlMs|cacheScope/);
  });
});
