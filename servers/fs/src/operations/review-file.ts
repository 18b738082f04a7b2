import { pathToFileURL } from 'node:url';

import { Field, type RequestContext } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

import type { Files } from '../files.ts';
import { PathInput } from './path-input.ts';
import { readTextFile } from './read-text-file.ts';

export class ReviewFileArguments extends PathInput {
  @Field('What to look at in particular')
  @IsOptional()
  @IsString()
  focus?: string;
}

/** A prompt's messages: the request, and the file as an embedded resource. */
export interface ReviewMessage {
  readonly role: 'user';
  readonly content:
    | { readonly type: 'text'; readonly text: string }
    | {
        readonly type: 'resource';
        readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string };
      };
}

/** @throws ToolError those of `readTextFile` */
export async function reviewFile(
  files: Files,
  { path, focus }: ReviewFileArguments,
  context: RequestContext,
): Promise<readonly ReviewMessage[]> {
  const { text, truncated, lines } = await readTextFile(files, { path }, context);
  const { shown } = await files.roots.existing(path);
  const particular = focus === undefined ? '' : ` Look at ${focus} in particular.`;
  const cut = truncated ? ` Only its first ${lines} lines are here.` : '';
  const request = `Review this file. Name what is wrong or unclear, each with its line, the worst first.${particular}${cut}`;
  return [
    { role: 'user', content: { type: 'text', text: request } },
    { role: 'user', content: { type: 'resource', resource: { uri: pathToFileURL(shown).href, mimeType: 'text/plain', text } } },
  ];
}
