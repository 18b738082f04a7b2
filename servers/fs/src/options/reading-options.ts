import { Field } from '@org/mcp-decorators';
import { IsInt, Max, Min } from 'class-validator';

import { AccessOptions } from './access-options.ts';

/** As many paths as a call may name whatever the operator says: they are refused before they are looked at. */
export const MAX_FILES = 500;

/** Options of what reading may cost. */
export class ReadingOptions extends AccessOptions {
  // The SDK's stdio clients close at a message of 10 MiB, and JSON writes a control character with six bytes.
  @Field('Most bytes of a file that one read returns', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  maxReadBytes = 262_144;

  @Field('Most files that one read_multiple_files returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(MAX_FILES)
  maxFiles = 100;

  // Less than of one file, because the names of the files are sent with it.
  @Field('Most bytes of all files that one read_multiple_files returns', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_048_576)
  maxTotalBytes = 524_288;

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
