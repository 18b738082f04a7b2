import { expect } from 'vitest';

import type { Area } from '../client/area.ts';
import { isStateless, since } from '../messages/cells.ts';
import type { FormSchema, InputRequest } from '../messages/message.ts';
import { REFUSED, type Answering } from '../client/raw-client.ts';
import { textOf } from '../client/reading.ts';

const ADA = { name: 'Ada', age: 36, letters: false, size: 's' };

const SIMPLE = ['string', 'number', 'integer', 'boolean'];

function answering(content: object): Answering {
  return { 'elicitation/create': () => ({ action: 'accept', content }) };
}

function formOf(asked: readonly InputRequest[]): FormSchema {
  return asked[0]?.params?.requestedSchema ?? {};
}

export const elicitation: Area = (test, { revision }) => {
  test('sends a message and a flat form', ['elicitation.form'], async ({ client }) => {
    const { asked } = await client.callAnswering('survey', answering(ADA));
    expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Who are you?' } }]);
    const form = formOf(asked);
    expect(form).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string', title: 'Name', minLength: 2 }, age: { type: 'integer', minimum: 0, maximum: 150 } },
      required: ['name', 'age'],
    });
    for (const { type } of Object.values(form.properties ?? {})) expect(SIMPLE).toContain(type);
  });

  test('sends the titles of choices in the separate list enumNames', ['elicitation.enum-names'], async ({ client }) => {
    const { asked } = await client.callAnswering('size', answering({ size: 's' }));
    expect(formOf(asked).properties?.size).toMatchObject({ type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] });
  });

  test('offers titled choices, for a single value or for several values', ['elicitation.choices'], async ({ client }) => {
    const choices = [
      { const: 's', title: 'Small' },
      { const: 'l', title: 'Large' },
    ];
    const one = await client.callAnswering('size', answering({ size: 's' }));
    expect(formOf(one.asked).properties?.size).toMatchObject({ type: 'string', oneOf: choices });
    const several = await client.callAnswering('sizes', answering({ some: ['s', 'l'] }));
    expect(formOf(several.asked).properties?.some).toMatchObject({ type: 'array', items: { anyOf: choices }, maxItems: 2 });
    expect(JSON.parse(textOf(several.answer.result ?? {}))).toEqual({ some: ['s', 'l'] });
  });

  test(
    'sends no field for several choices, which the protocol version does not define',
    ['elicitation.known-fields'],
    async ({ client }) => {
      const { asked } = await client.callAnswering('sizes', answering({ some: ['s'] }));
      const fields = asked.flatMap(({ params }) => Object.values(params?.requestedSchema?.properties ?? {}));
      for (const { type } of fields) expect(SIMPLE).toContain(type);
    },
  );

  test('includes the default value of a field', ['elicitation.defaults'], async ({ client }) => {
    const { asked } = await client.callAnswering('survey', answering(ADA));
    expect(formOf(asked).properties).toMatchObject({ letters: { default: true }, size: { default: 'l' } });
  });

  test('continues with the values from the user', ['elicitation.accepted'], async ({ client }) => {
    const { answer } = await client.callAnswering('size', answering({ size: 's' }));
    expect(JSON.parse(textOf(answer.result ?? {}))).toEqual({ size: 's' });
  });

  for (const action of ['decline', 'cancel'])
    test(`continues if the user answers ${action}`, ['elicitation.refused'], async ({ client }) => {
      const { answer } = await client.callAnswering('size', { 'elicitation/create': () => ({ action }) });
      expect(textOf(answer.result ?? {})).toBe(action);
    });

  test('requests invalid values again', ['elicitation.validated'], async ({ client }) => {
    const sizes = ['medium', 's'];
    const { answer, asked } = await client.callAnswering('size', {
      'elicitation/create': () => ({ action: 'accept', content: { size: sizes.shift() } }),
    });
    expect(asked).toHaveLength(2);
    expect(JSON.parse(textOf(answer.result ?? {}))).toEqual({ size: 's' });
  });

  test('fails the call if the values remain invalid', ['elicitation.validated'], async ({ client }) => {
    const { answer } = await client.callAnswering('size', answering({ size: 'medium' }));
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer.result ?? {})).toMatch(/^INVALID_ANSWER/);
  });

  test('fails only the call if the client answers with an error', ['elicitation.failed'], async ({ client }) => {
    const { answer } = await client.callAnswering('size', { 'elicitation/create': () => REFUSED });
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer.result ?? {})).toMatch(/^NO_ANSWER/);
  });

  test('sends two requests of one call, at once or one after the other', ['elicitation.accepted'], async ({ client }) => {
    const answers: Answering = {
      'elicitation/create': ({ message }) => ({
        action: 'accept',
        content: message === 'Go on?' ? { ok: true } : { name: 'Ada' },
      }),
    };
    for (const tool of ['both', 'twice']) {
      const { answer, asked } = await client.callAnswering(tool, answers);
      expect(asked.map(({ params }) => params?.message)).toEqual(['Who are you?', 'Go on?']);
      expect(textOf(answer.result ?? {})).toBe('{"name":"Ada"} {"ok":true}');
    }
  });

  test('sends no form to a client without support for forms', ['elicitation.declared'], async ({ client, served }) => {
    const capabilities = since(revision, '2025-11-25') ? { elicitation: { url: {} } } : {};
    // Without a session, each request declares the capabilities of the client.
    await using other = isStateless(revision) ? undefined : await served.connect({ capabilities });
    const asking = other ?? client;
    const before = asking.received.length;
    const _meta = isStateless(revision) ? { 'io.modelcontextprotocol/clientCapabilities': capabilities } : {};
    const { result, error } = await asking.request('tools/call', { name: 'size', arguments: {}, _meta });
    expect(error?.code === -32_021 || result?.isError === true).toBe(true);
    expect(asking.received.slice(before).filter(({ method }) => method === 'elicitation/create')).toEqual([]);
  });
};
