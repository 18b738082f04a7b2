import { describe, expect, it } from 'vitest';

import { CASES, sharedSession } from './conformance-cases.ts';
import { RED_PIXEL, SILENCE } from '../support/media.ts';

const IMAGE = { type: 'image', data: RED_PIXEL, mimeType: 'image/png' };

const CONTENT: Readonly<Record<string, readonly object[]>> = {
  test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  test_image_content: [IMAGE],
  test_audio_content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: [
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ],
};

describe.each(CASES)('the tools that return content, over $name,', (each) => {
  const session = sharedSession(each);

  it('return every kind of content block', async () => {
    const contents = Object.keys(CONTENT).map(async (tool) => [tool, (await session().call(tool)).content]);
    expect(Object.fromEntries(await Promise.all(contents))).toEqual(CONTENT);
  });

  it('may be called without arguments', async () => {
    const { content } = await session().client.callTool({ name: 'test_simple_text' });
    expect(content).toEqual(CONTENT['test_simple_text']);
  });

  it('may close their stream before the result, if the transport has one', async () => {
    expect(await session().text('test_reconnection')).toBe('Reconnection test completed successfully');
  });

  it('report a failure as an error', async () => {
    expect(await session().fails('test_error_handling')).toBe('TEST_ERROR: This tool intentionally returns an error for testing');
  });
});
