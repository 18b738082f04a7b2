import { Complete, Prompt, RequestContext } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import { PromptContext } from './forms.ts';
import { RED_PIXEL } from '../support/media.ts';

export class TwoArguments {
  @IsString() arg1!: string;
  @IsString() arg2!: string;
}

export class ResourceArguments {
  @IsString() resourceUri!: string;
}

/** Prompts with text, an embedded resource or an image. One prompt has a completed argument, and one asks the user. */
export class Prompts {
  @Prompt({ description: 'Text alone' })
  testSimplePrompt(): string {
    return 'This is a simple prompt for testing.';
  }

  @Prompt({ description: 'Text with two arguments in it' })
  testPromptWithArguments({ arg1, arg2 }: TwoArguments): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  @Complete({ prompt: 'test_prompt_with_arguments', argument: 'arg1' })
  completeArg1(): readonly string[] {
    return ['paris', 'park', 'party'];
  }

  @Prompt({ description: 'A resource and text' })
  testPromptWithEmbeddedResource({ resourceUri }: ResourceArguments): readonly object[] {
    const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
    return [message({ type: 'resource', resource }), text('Please process the embedded resource above.')];
  }

  @Prompt({ description: 'An image and text' })
  testPromptWithImage(): readonly object[] {
    return [message({ type: 'image', data: RED_PIXEL, mimeType: 'image/png' }), text('Please analyze the image above.')];
  }

  @Prompt({ name: 'test_input_required_result_prompt', description: 'Text with what the user was asked for' })
  async prompt(context: RequestContext): Promise<string> {
    const given = await context.elicit('user_context', 'What context should the prompt use?', PromptContext);
    return `Prompt with context: ${given.action === 'accept' ? given.content.context : given.action}`;
  }
}

function message(content: object): object {
  return { role: 'user', content };
}

function text(words: string): object {
  return message({ type: 'text', text: words });
}
