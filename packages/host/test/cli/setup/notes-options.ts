import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';

import { ServerOptions } from '../../../src/options/server-options.ts';

/** Options of each kind that the entry in a client's configuration represents in its own way. */
export class NotesOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'directories';

  @Field('Directories', { format: 'path' })
  @IsString({ each: true })
  directories: string[] = [];

  @Field('Directory of drafts', { format: 'path' })
  @IsOptional()
  @IsString()
  drafts?: string;

  @Field('Most notes')
  @IsInt()
  maxNotes = 10;

  @Field('Keep what was read')
  @IsBoolean()
  cache = true;

  @Field('Key of the archive', { format: 'password' })
  @IsOptional()
  @IsString()
  key?: string;
}

/** Options whose positional argument is a secret. */
export class ArchiveOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'url';

  @Field('Connection URL', { format: 'password' })
  @IsOptional()
  @IsString()
  url?: string;
}

/** Options whose positional arguments are secrets. */
export class ArchivesOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'urls';

  @Field('Connection URLs', { format: 'password' })
  @IsString({ each: true })
  urls: string[] = [];
}

/** Options whose positional arguments are neither paths nor secrets. */
export class TopicOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'topics';

  @Field('Topics')
  @IsString({ each: true })
  topics: string[] = [];
}
