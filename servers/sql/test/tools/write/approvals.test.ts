import { describe, expect, it } from 'vitest';

import { useStock } from '../../fixtures/stock.ts';

const database = useStock();
const { counts, writing } = database;

const UPDATE = { name: 'execute', arguments: { sql: 'update stock set count = count + 10 where id = 1' } };

describe('an approval of execute', () => {
  it.each(['sent again', 'sent at the same time'])('commits exactly once if it is %s', async (when) => {
    await using session = await writing('modern', { capabilities: { elicitation: { form: {} } } });
    const send = async (params: object): Promise<Record<string, unknown>> =>
      session.client.request({ method: 'tools/call', params: { ...UPDATE, ...params } }, { allowInputRequired: true });
    const { inputRequests, requestState } = await send({});
    const yes = { action: 'accept', content: { confirm: true } };
    const inputResponses = Object.fromEntries(Object.keys(inputRequests as object).map((key) => [key, yes]));
    expect(await send({ inputResponses })).toMatchObject({ resultType: 'input_required' });
    expect(await counts()).toBe('1 2 3 4 5');
    const answered = { inputResponses, requestState };
    if (when === 'sent again') await send(answered);
    await Promise.all([send(answered), send(answered), send(answered)]);
    expect(await counts()).toBe('11 2 3 4 5');
    expect(await send(answered)).toMatchObject({ isError: true, _meta: { error: { code: 'PRECONDITION_FAILED' } } });
  });
});
