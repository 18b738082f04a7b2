import { describe, expect, it } from 'vitest';

import { recordWire } from '../support/recorders.ts';
import { askedIn } from './asked.ts';
import { CASES, sharedSession } from './conformance-cases.ts';
import { RED_PIXEL } from '../support/media.ts';

function user(content: object): object {
  return { role: 'user', content };
}

function text(words: string): object {
  return user({ type: 'text', text: words });
}

const RESOURCE = { uri: 'test://example', mimeType: 'text/plain', text: 'Embedded resource content for testing.' };

describe.each(CASES)('the prompts, over $name,', (each) => {
  const session = sharedSession(each);

  it.each<[name: string, given: Record<string, string>, messages: readonly object[]]>([
    ['test_simple_prompt', {}, [text('This is a simple prompt for testing.')]],
    ['test_prompt_with_arguments', { arg1: 'hello', arg2: 'world' }, [text("Prompt with arguments: arg1='hello', arg2='world'")]],
    [
      'test_prompt_with_embedded_resource',
      { resourceUri: 'test://example' },
      [user({ type: 'resource', resource: RESOURCE }), text('Please process the embedded resource above.')],
    ],
    [
      'test_prompt_with_image',
      {},
      [user({ type: 'image', data: RED_PIXEL, mimeType: 'image/png' }), text('Please analyze the image above.')],
    ],
    ['test_input_required_result_prompt', {}, [text('Prompt with context: a test')]],
  ])('return their messages: %s', async (name, given, messages) => {
    expect((await session().client.getPrompt({ name, arguments: given })).messages).toEqual(messages);
  });

  it('request input from the user if necessary', async () => {
    const wire = recordWire(session());
    await session().client.getPrompt({ name: 'test_input_required_result_prompt' });
    const properties = { context: { type: 'string' } };
    expect(askedIn(wire)).toEqual([
      {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'What context should the prompt use?',
          requestedSchema: { type: 'object', properties, required: ['context'] },
        },
      },
    ]);
  });

  it('list their required arguments', async () => {
    const { prompts } = await session().client.listPrompts();
    expect(prompts.map(({ name, arguments: needed = [] }) => [name, ...needed])).toEqual([
      ['test_simple_prompt'],
      ['test_prompt_with_arguments', { name: 'arg1', required: true }, { name: 'arg2', required: true }],
      ['test_prompt_with_embedded_resource', { name: 'resourceUri', required: true }],
      ['test_prompt_with_image'],
      ['test_input_required_result_prompt'],
    ]);
  });

  it('offer completions for an argument', async () => {
    const ref = { type: 'ref/prompt' as const, name: 'test_prompt_with_arguments' };
    const complete = (name: string, value: string): Promise<object> =>
      session().client.complete({ ref, argument: { name, value } });
    expect(await complete('arg1', 'par')).toMatchObject({ completion: { values: ['paris', 'park', 'party'], total: 3 } });
    expect(await complete('arg1', 'park')).toMatchObject({ completion: { values: ['park'] } });
    expect(await complete('arg2', 'par')).toMatchObject({ completion: { values: [] } });
  });
});
