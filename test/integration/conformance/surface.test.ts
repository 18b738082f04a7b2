import { describe, expect, it } from 'vitest';

import { CASES, sharedSession } from './conformance-cases.ts';

const TOOLS = [
  'test_simple_text',
  'test_image_content',
  'test_audio_content',
  'test_embedded_resource',
  'test_multiple_content_types',
  'test_error_handling',
  'json_schema_2020_12_tool',
  'test_x_mcp_header',
  'test_tool_with_logging',
  'test_tool_with_progress',
  'test_logging_tool',
  'test_reconnection',
  'test_sampling',
  'test_elicitation',
  'test_elicitation_sep1034_defaults',
  'test_elicitation_sep1330_enums',
  'test_missing_capability',
  'test_streaming_elicitation',
  'test_input_required_result_elicitation',
  'test_input_required_result_sampling',
  'test_input_required_result_list_roots',
  'test_input_required_result_request_state',
  'test_input_required_result_multiple_inputs',
  'test_input_required_result_multi_round',
  'test_input_required_result_tampered_state',
  'test_input_required_result_capabilities',
  'test_trigger_tool_change',
  'test_trigger_prompt_change',
  'trigger_resource_update',
];

/** The names of the parameters, for each tool that has parameters. */
const ARGUMENTS = {
  json_schema_2020_12_tool: ['name', 'address', 'contactMethod', 'phone', 'email'],
  test_x_mcp_header: ['region', 'level'],
  test_sampling: ['prompt'],
  test_elicitation: ['message'],
};

describe.each(CASES)('the server with all fixtures, over $name,', (each) => {
  const session = sharedSession(each);

  it('declares the capabilities of all its fixtures', () => {
    expect(session().client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
      completions: {},
    });
  });

  it('lists the tools, each with a description', async () => {
    const { tools } = await session().client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    expect(tools.filter(({ description }) => !description)).toEqual([]);
    const taken = tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})] as const);
    expect(Object.fromEntries(taken.filter(([, names]) => names.length > 0))).toEqual(ARGUMENTS);
  });

  it('lists the resources and the template', async () => {
    const { resources } = await session().client.listResources();
    const { resourceTemplates } = await session().client.listResourceTemplates();
    // A process has one more resource, which the host adds.
    const own = resources.map(({ uri }) => uri).filter((uri) => uri !== 'server://info');
    expect(own).toEqual(['test://static-text', 'test://static-binary', 'test://watched-resource']);
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['test://template/{id}/data']);
  });

  it('lists the prompts with descriptions', async () => {
    const { prompts } = await session().client.listPrompts();
    expect(prompts).toHaveLength(5);
    expect(prompts.filter(({ description }) => !description)).toEqual([]);
  });
});
