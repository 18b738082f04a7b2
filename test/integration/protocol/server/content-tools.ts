import { Field, RequestContext, Tool, ToolError } from '@org/mcp-decorators';
import { IsInt, IsString, Max, Min } from 'class-validator';

import { RED_PIXEL, SILENCE } from '../../support/media.ts';

export class EchoInput {
  @Field('The text') @IsString() text!: string;
}

export class SquareInput {
  @Field('The number to square') @IsInt() @Min(0) @Max(1000) side!: number;
}

export class Square {
  @IsInt() side!: number;
  @IsInt() area!: number;
}

export class RoutedInput {
  @Field('Where', { header: 'Region' }) @IsString() region = 'nowhere';
  @Field('How much', { header: 'Weight' }) @IsInt() weight = 0;
}

/** `_meta` of one entry in each list. */
export const MARKED = { 'com.example/mark': { level: 1 } };

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { point: { $anchor: 'point', type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
  properties: { from: { $ref: '#/$defs/point' }, to: { $ref: '#/$defs/point' } },
  dependentRequired: { to: ['from'] },
  additionalProperties: false,
};

/** Tools that return each kind of content, tools that fail, and tools with special inputs or limits. */
export class ContentTools {
  @Tool({ description: 'Says it again', title: 'Echo', annotations: { readOnlyHint: true, openWorldHint: false }, _meta: MARKED })
  echo({ text }: EchoInput): string {
    return text;
  }

  @Tool({ description: 'Measures a square', output: Square })
  square({ side }: SquareInput): Square {
    return { side, area: side * side };
  }

  @Tool({ description: 'An image', icons: [{ src: 'data:image/png;base64,AAAA', mimeType: 'image/png', sizes: ['1x1'] }] })
  image(): object {
    return { type: 'image', data: RED_PIXEL, mimeType: 'image/png' };
  }

  @Tool({ description: 'A sound' })
  audio(): object {
    return { type: 'audio', data: SILENCE, mimeType: 'audio/wav' };
  }

  @Tool({ description: 'A link to a resource' })
  link(): object {
    return { type: 'resource_link', uri: 'protocol://text', name: 'text', description: 'The text', mimeType: 'text/plain' };
  }

  @Tool({ description: 'Resources as text and as bytes' })
  embedded(): readonly object[] {
    return [
      { type: 'resource', resource: { uri: 'protocol://text', mimeType: 'text/plain', text: 'text' } },
      { type: 'resource', resource: { uri: 'protocol://blob', mimeType: 'image/png', blob: RED_PIXEL } },
    ];
  }

  @Tool({ description: 'Fails, and says why' })
  fail(): never {
    throw new ToolError('CONFLICT', 'the file changed', { hint: 'read it again' });
  }

  @Tool({ description: 'Fails by mistake' })
  crash(): never {
    throw new Error('connect to postgres://admin:secret@db failed');
  }

  @Tool({ description: 'May be called twice a day', rateLimit: { calls: 2, perSeconds: 86_400 } })
  seldom(): string {
    return 'called';
  }

  @Tool({ description: 'Takes what a schema written by hand allows', inputSchema: SCHEMA })
  raw(given: Readonly<Record<string, unknown>>): string {
    return JSON.stringify(given);
  }

  @Tool({ description: 'Says where it was routed to', input: RoutedInput })
  routed({ region, weight }: RoutedInput): string {
    return `${region}, ${weight}`;
  }

  @Tool({ description: 'Says who calls, in which revision' })
  caller({ client, protocolVersion }: RequestContext): object {
    return { name: client.name, capabilities: client.capabilities, protocolVersion };
  }
}
