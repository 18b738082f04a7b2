import { Field } from '@org/mcp-decorators';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

import { SafetyOptions } from './safety-options.ts';

/** How much a call may take and return. */
export class ResultOptions extends SafetyOptions {
  @Field('Most rows that a call may ask for', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxRows = 10_000;

  // The SDK's stdio clients close at a message of 10 MiB, and JSON writes a control character with six bytes.
  @Field('Most bytes of rows that a call may ask for', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(1_572_864)
  maxBytes = 1_572_864;

  @Field('Longest that a statement may run, and its default', { title: 'MS' })
  @IsInt()
  @Min(100)
  @Max(3_600_000)
  timeoutMs = 30_000;

  @Field("Memory that a sort or hash may take before it goes to disk; default: the database server's", { title: 'KB' })
  @IsOptional()
  @IsInt()
  @Min(64)
  @Max(2_147_483_647)
  workMem?: number;

  @Field("Workers that a parallel step may have; default: the database server's", { title: 'N' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(1024)
  parallelWorkers?: number;
}
