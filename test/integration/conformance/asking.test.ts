import { describe, expect, it } from 'vitest';

import { recordWire } from '../support/recorders.ts';
import { askedIn, type Asked } from './asked.ts';
import { ANSWERING, CASES } from './conformance-cases.ts';

const TITLED = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
];

const OPTIONS = ['option1', 'option2', 'option3'];

function form(message: string, properties: Readonly<Record<string, object>>, optional = false): Asked {
  const required = optional ? {} : { required: Object.keys(properties) };
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties, ...required } },
  };
}

function question(text: string, maxTokens: number): Asked {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

const NAME = form('What is your name?', { name: { type: 'string' } });
const CONFIRMATION = form('Please confirm', { ok: { type: 'boolean' } });
const GREETING = question('Generate a greeting', 50);
const ROOTS_REQUEST: Asked = { method: 'roots/list' };

const DEFAULTS = form(
  'Please review and update the form fields with defaults',
  {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  true,
);

const CHOICES = form(
  'Please select options from the enum fields',
  {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } },
  },
  true,
);

/** A tool, the arguments of its call, the expected input requests, and the expected text of the result. */
interface Row {
  readonly tool: string;
  readonly given?: object;
  readonly asks: readonly Asked[];
  readonly text: string;
}

const RESPONSE = { response: { type: 'string' } };

const ROWS: readonly Row[] = [
  {
    tool: 'test_sampling',
    given: { prompt: 'Why?' },
    asks: [question('Why?', 100)],
    text: 'LLM response: Paris',
  },
  {
    tool: 'test_elicitation',
    given: { message: 'Who?' },
    asks: [form('Who?', RESPONSE)],
    text: 'User response: action=accept, content={"response":"Ada"}',
  },
  {
    tool: 'test_elicitation_sep1034_defaults',
    asks: [DEFAULTS],
    text: 'Elicitation completed: action=accept, content={"name":"Ada","age":30,"score":95.5,"status":"active","verified":true}',
  },
  {
    tool: 'test_elicitation_sep1330_enums',
    asks: [CHOICES],
    text:
      'Elicitation completed: action=accept, content={"untitledSingle":"option1","titledSingle":"value2",' +
      '"legacyEnum":"opt3","untitledMulti":["option2"],"titledMulti":["value1","value3"]}',
  },
  {
    tool: 'test_streaming_elicitation',
    asks: [form('What do you say?', RESPONSE)],
    text: 'Streaming complete: action=decline, content={}',
  },
  {
    tool: 'test_missing_capability',
    asks: [question('Which capabilities do you have?', 100)],
    text: 'Paris',
  },
  {
    tool: 'test_input_required_result_elicitation',
    asks: [NAME],
    text: 'Hello, Ada!',
  },
  {
    tool: 'test_input_required_result_sampling',
    asks: [question('What is the capital of France?', 100)],
    text: 'Paris',
  },
  {
    tool: 'test_input_required_result_list_roots',
    asks: [ROOTS_REQUEST],
    text: 'Roots: file:///home/ada, file:///srv',
  },
  {
    tool: 'test_input_required_result_request_state',
    asks: [CONFIRMATION],
    text: 'state-ok: confirmed',
  },
  {
    tool: 'test_input_required_result_multiple_inputs',
    asks: [NAME, GREETING, ROOTS_REQUEST],
    text: 'Paris Ada, of file:///home/ada, file:///srv',
  },
  {
    tool: 'test_input_required_result_multi_round',
    asks: [
      form('Step 1: What is your name?', { name: { type: 'string' } }),
      form('Step 2: What is your favorite color?', { color: { type: 'string' } }),
    ],
    text: 'Ada likes red',
  },
  {
    tool: 'test_input_required_result_tampered_state',
    asks: [CONFIRMATION],
    text: 'integrity-ok: confirmed',
  },
  {
    tool: 'test_input_required_result_capabilities',
    asks: [NAME, GREETING, ROOTS_REQUEST],
    text: 'Answered: elicitation, sampling, roots',
  },
];

describe.each(CASES)('a tool that requests input, over $name,', (each) => {
  it.each(ROWS)('sends its input request and uses the response: $tool', async ({ tool, given, asks, text }) => {
    await using session = await each.connect(ANSWERING);
    const wire = recordWire(session);
    expect(await session.text(tool, { ...given })).toBe(text);
    expect(askedIn(wire)).toEqual(asks);
  });
});
