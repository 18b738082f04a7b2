import { Tool, ToolError } from '@org/mcp-decorators';

import { RED_PIXEL, SILENCE } from '../support/media.ts';

const IMAGE = { type: 'image', data: RED_PIXEL, mimeType: 'image/png' };

/** Tools that return text, an image, audio or an embedded resource, and a tool that fails. */
export class ContentTools {
  @Tool({ description: 'Answers with text' })
  testSimpleText(): string {
    return 'This is a simple text response for testing.';
  }

  @Tool({ description: 'Answers with an image' })
  testImageContent(): object {
    return IMAGE;
  }

  @Tool({ description: 'Answers with audio' })
  testAudioContent(): object {
    return { type: 'audio', data: SILENCE, mimeType: 'audio/wav' };
  }

  @Tool({ description: 'Answers with a resource' })
  testEmbeddedResource(): object {
    const uri = 'test://embedded-resource';
    return { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'This is an embedded resource content.' } };
  }

  @Tool({ description: 'Answers with text, an image and a resource' })
  testMultipleContentTypes(): readonly object[] {
    const uri = 'test://mixed-content-resource';
    const text = JSON.stringify({ test: 'data', value: 123 });
    return [
      { type: 'text', text: 'Multiple content types test:' },
      IMAGE,
      { type: 'resource', resource: { uri, mimeType: 'application/json', text } },
    ];
  }

  @Tool({ description: 'Fails' })
  testErrorHandling(): never {
    throw new ToolError('TEST_ERROR', 'This tool intentionally returns an error for testing');
  }
}
