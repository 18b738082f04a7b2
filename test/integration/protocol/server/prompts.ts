import { Complete, Field, Prompt } from '@org/mcp-decorators';
import { IsIn, IsOptional, IsString } from 'class-validator';

import { RED_PIXEL, SILENCE } from '../../support/media.ts';
import { MARKED } from './content-tools.ts';

export class ReviewArguments {
  @Field('The language') @IsString() @IsIn(['python', 'ruby']) language!: string;
  @Field('The framework') @IsOptional() @IsString() framework?: string;
}

const FRAMEWORKS: Readonly<Record<string, readonly string[]>> = {
  python: ['flask', 'django', 'fastapi'],
  ruby: ['rails', 'sinatra'],
};

/** Prompts with each kind of content. The server completes the arguments of one prompt. */
export class Prompts {
  @Prompt({ description: 'A review', title: 'Review', _meta: MARKED })
  review({ language, framework = 'nothing' }: ReviewArguments): string {
    return `Review ${language} on ${framework}`;
  }

  @Complete({ prompt: 'review', argument: 'language' })
  completeLanguage(): readonly string[] {
    return ['ruby', 'a python', 'python'];
  }

  @Complete({ prompt: 'review', argument: 'framework' })
  completeFramework(_typed: string, { language = '' }: Readonly<Record<string, string>>): readonly string[] {
    return FRAMEWORKS[language] ?? Object.values(FRAMEWORKS).flat();
  }

  @Prompt({ description: 'An image and what to do with it' })
  picture(): readonly object[] {
    return [
      { role: 'user', content: { type: 'image', data: RED_PIXEL, mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'text', text: 'It is red.' } },
    ];
  }

  @Prompt({ description: 'A sound' })
  sound(): readonly object[] {
    return [{ role: 'user', content: { type: 'audio', data: SILENCE, mimeType: 'audio/wav' } }];
  }

  @Prompt({ description: 'A resource and a link to another one' })
  papers(): readonly object[] {
    return [
      { role: 'user', content: { type: 'resource', resource: { uri: 'protocol://text', mimeType: 'text/plain', text: 'text' } } },
      { role: 'user', content: { type: 'resource_link', uri: 'protocol://json', name: 'json' } },
    ];
  }

  @Prompt({ description: 'Fails by mistake' })
  crashing(): never {
    throw new Error('EACCES: /home/admin/secret');
  }
}
