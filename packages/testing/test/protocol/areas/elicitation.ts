import { expect } from 'vitest';

import type { Area } from '../area.ts';
import { isStateless, since } from '../cells.ts';
import type { FormSchema, InputRequest } from '../message.ts';
import { REFUSED, type Answering } from '../raw-client.ts';
import { textOf } from '../reading.ts';

const ADA = { name: 'Ada', age: 36, letters: false, size: 's' };

const SIMPLE = ['string', 'number', 'integer', 'boolean'];

function answering(content: object): Answering {
  return { 'elicitation/create': () => ({ action: 'accept', content }) };
}

function formOf(asked: readonly InputRequest[]): FormSchema {
  return asked[0]?.params?.requestedSchema ?? {};
}

export const elicitation: Area = (test, { revision }) => {
  test('asks with a message and a flat form', ['elicitation.form'], async ({ client }) => {
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

  test('gives the titles of choices in a list of their own', ['elicitation.enum-names'], async ({ client }) => {
    const { asked } = await client.callAnswering('size', answering({ size: 's' }));
    expect(formOf(asked).properties?.size).toMatchObject({ type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] });
  });

  test('offers titled choices, one of them or several', ['elicitation.choices'], async ({ client }) => {
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

  test('does not ask for several choices at once, which no form has', ['elicitation.known-fields'], async ({ client }) => {
    const { asked } = await client.callAnswering('sizes', answering({ some: ['s'] }));
    const fields = asked.flatMap(({ params }) => Object.values(params?.requestedSchema?.properties ?? {}));
    for (const { type } of fields) expect(SIMPLE).toContain(type);
  });

  test('says what a field has by default', ['elicitation.defaults'], async ({ client }) => {
    const { asked } = await client.callAnswering('survey', answering(ADA));
    expect(formOf(asked).properties).toMatchObject({ letters: { default: true }, size: { default: 'l' } });
  });

  test('goes on with what the user filled in', ['elicitation.accepted'], async ({ client }) => {
    const { answer } = await client.callAnswering('size', answering({ size: 's' }));
    expect(JSON.parse(textOf(answer.result ?? {}))).toEqual({ size: 's' });
  });

  for (const action of ['decline', 'cancel'])
    test(`goes on where the user answers ${action}`, ['elicitation.refused'], async ({ client }) => {
      const { answer } = await client.callAnswering('size', { 'elicitation/create': () => ({ action }) });
      expect(textOf(answer.result ?? {})).toBe(action);
    });

  test('asks again for what does not fit', ['elicitation.validated'], async ({ client }) => {
    const sizes = ['medium', 's'];
    const { answer, asked } = await client.callAnswering('size', {
      'elicitation/create': () => ({ action: 'accept', content: { size: sizes.shift() } }),
    });
    expect(asked).toHaveLength(2);
    expect(JSON.parse(textOf(answer.result ?? {}))).toEqual({ size: 's' });
  });

  test('does not take what never fits', ['elicitation.validated'], async ({ client }) => {
    const { answer } = await client.callAnswering('size', answering({ size: 'medium' }));
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer.result ?? {})).toMatch(/^INVALID_ANSWER/);
  });

  test('bears a client that answers with an error', ['elicitation.failed'], async ({ client }) => {
    const { answer } = await client.callAnswering('size', { 'elicitation/create': () => REFUSED });
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer.result ?? {})).toMatch(/^NO_ANSWER/);
  });

  test('asks two questions, at once or one after the other', ['elicitation.accepted'], async ({ client }) => {
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

  test('is not asked of a client that cannot show a form', ['elicitation.declared'], async ({ client, served }) => {
    const capabilities = since(revision, '2025-11-25') ? { elicitation: { url: {} } } : {};
    // Without a session, each request says what the client can.
    await using other = isStateless(revision) ? undefined : await served.connect({ capabilities });
    const asking = other ?? client;
    const before = asking.received.length;
    const _meta = isStateless(revision) ? { 'io.modelcontextprotocol/clientCapabilities': capabilities } : {};
    const { result, error } = await asking.request('tools/call', { name: 'size', arguments: {}, _meta });
    expect(error?.code === -32_021 || result?.isError === true).toBe(true);
    expect(asking.received.slice(before).filter(({ method }) => method === 'elicitation/create')).toEqual([]);
  });
};
