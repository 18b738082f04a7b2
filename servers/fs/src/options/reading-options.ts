import { Field } from '@org/mcp-decorators';
import { IsInt, Max, Min } from 'class-validator';

import { AccessOptions } from './access-options.ts';

/** Options of what reading may cost. */
export class ReadingOptions extends AccessOptions {
  // The SDK's stdio clients close at a message of 10 MiB, and JSON writes a control character with six bytes.
  @Field('Most bytes of a file that one read returns', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  maxReadBytes = 262_144;
}
