import { Field } from '@org/mcp-decorators';
import { IsInt, Max, Min } from 'class-validator';

import { AccessOptions } from './access-options.ts';

/** As many paths as a call may name whatever the operator says: they are refused before they are looked at. */
export const MAX_FILES = 500;

/** Options of what reading may cost. */
export class ReadingOptions extends AccessOptions {
  // Hosts show a model at least 20,000 characters of a result. Maximum: the SDK's stdio clients close at a message of 10 MiB, JSON
  // writes a control character with six bytes, and names of files are sent beside their content.
  @Field('Maximum number of bytes that a call returns; a note says how to read the rest', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_048_576)
  maxBytes = 20_000;

  // Clients read a resource as a whole.
  @Field('Most bytes of a resource that is text, or of what a prompt contains', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  maxResourceBytes = 262_144;

  @Field('Maximum number of files that one read_multiple_files call reads', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(MAX_FILES)
  maxFiles = 100;

  // Base64 is a third longer.
  @Field('Most bytes of a file that read_media_file returns', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(7_340_032)
  maxMediaBytes = 5_242_880;

  @Field('Most bytes of a file that get_file_info reads to hash it or to count its lines', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_000_000_000_000)
  maxHashBytes = 4_294_967_296;
}
