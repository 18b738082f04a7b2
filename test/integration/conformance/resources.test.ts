import { ResourceNotFoundError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';

import { recordWire } from '../support/recorders.ts';
import { Wire } from '../support/wire.ts';
import { CASES, sharedSession } from './conformance-cases.ts';
import { ConformanceServer } from './conformance-server.ts';
import { RED_PIXEL } from '../support/media.ts';

const WATCHED = 'test://watched-resource';

describe.each(CASES)('the resources, over $name,', (each) => {
  const session = sharedSession(each);

  it.each([
    ['test://static-text', { mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    ['test://static-binary', { mimeType: 'image/png', blob: RED_PIXEL }],
    [
      'test://template/123/data',
      { mimeType: 'application/json', text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}' },
    ],
    [WATCHED, { mimeType: 'text/plain', text: 'Watched resource content' }],
  ])('are read by their URI: %s', async (uri, expected) => {
    expect((await session().client.readResource({ uri })).contents).toEqual([{ uri, ...expected }]);
  });

  it('report an unknown resource with an error that contains its URI', async () => {
    const wire = recordWire(session());
    const uri = 'test://nonexistent-resource';
    await expect(session().client.readResource({ uri })).rejects.toThrow(ResourceNotFoundError);
    expect(wire).toMatchObject([{ error: { code: each.era === 'legacy' ? -32_002 : -32_602, data: { uri } } }]);
  });

  it('report updates as long as a client is subscribed', async () => {
    const first = await session().subscribe(WATCHED);
    await session().call('trigger_resource_update');
    await first.next();
    await first[Symbol.asyncDispose]();
    await session().call('trigger_resource_update');
    await using second = await session().subscribe(WATCHED);
    await session().call('trigger_resource_update');
    await second.next();
    expect([first.count, second.count]).toEqual([1, 1]);
  });
});

describe('the methods that listen streams replaced', () => {
  it.each(['resources/subscribe', 'resources/unsubscribe'])('do not exist on 2026-07-28: %s', async (method) => {
    await using wire = await Wire.to(new ConformanceServer());
    expect(await wire.send({ method, params: { uri: WATCHED } })).toMatchObject({ error: { code: -32_601 } });
  });
});
