import { pathToFileURL } from 'node:url';

import { Field, type RequestContext } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

import type { Files } from '../files.ts';
import { WHOLE_FILE } from '../text/window.ts';
import { PathInput } from './path-input.ts';
import { windowOf } from './read-text-file.ts';

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

/** @throws ToolError BINARY_FILE, ENCODING, and those of `Roots.openFile` */
export async function reviewFile(
  files: Files,
  { path, focus }: ReviewFileArguments,
  { signal }: RequestContext,
): Promise<readonly ReviewMessage[]> {
  await using file = await files.roots.openFile(path);
  const { text, truncated, lines } = await windowOf(file, {
    given: path,
    range: WHOLE_FILE,
    encoding: 'auto',
    maxBytes: files.limits.maxReadBytes,
    signal,
  });
  const particular = focus === undefined ? '' : ` Look at ${focus} in particular.`;
  const cut = truncated ? ` Only its first ${lines} lines are here.` : '';
  const request = `Review this file. Name what is wrong or unclear, each with its line, the worst first.${particular}${cut}`;
  return [
    { role: 'user', content: { type: 'text', text: request } },
    {
      role: 'user',
      content: { type: 'resource', resource: { uri: pathToFileURL(file.shown).href, mimeType: 'text/plain', text } },
    },
  ];
}
