import { Field } from '@org/mcp-decorators';
import { IsInt, IsNumber, IsOptional, Max, Min } from 'class-validator';

import { SafetyOptions } from './safety-options.ts';

/** How much a call may take and return. */
export class ResultOptions extends SafetyOptions {
  @Field('Most rows that a call may ask for', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxRows = 10_000;

  /**
   * Hosts keep 20,000 characters or more of a result. The limit includes fences, notes, totals and notices; it applies to the text, to
   * structured content and to `_meta`, each by itself.
   */
  @Field('Maximum number of bytes that a call returns; a note says how to read the rest', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(8_388_608)
  maxBytes = 20_000;

  @Field('Most bytes of disk that kept results and exports may take together', { title: 'BYTES' })
  @IsInt()
  @Min(1_048_576)
  maxSpool = 1_073_741_824;

  @Field('How long a kept result or an export is there after its last use', { title: 'MS' })
  @IsInt()
  @Min(100)
  @Max(86_400_000)
  keepMs = 900_000;

  @Field('Longest that a statement may run, and its default', { title: 'MS' })
  @IsInt()
  @Min(100)
  @Max(3_600_000)
  timeoutMs = 30_000;

  @Field('Longest that execute, run_maintenance and import may be given by timeout_ms; their default is --timeout-ms', {
    title: 'MS',
  })
  @IsInt()
  @Min(100)
  @Max(86_400_000)
  writeTimeoutMs = 3_600_000;

  @Field("Memory that a sort or hash may take before it goes to disk; default: the database server's", { title: 'KB' })
  @IsOptional()
  @IsInt()
  @Min(64)
  @Max(2_147_483_647)
  workMem?: number;

  @Field('Refuse statements that read if the planner expects them to cost more; default: none', { title: 'COST' })
  @IsOptional()
  @IsNumber()
  @Min(1)
  maxCost?: number;

  @Field("Workers that a parallel step may have; default: the database server's", { title: 'N' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(1024)
  parallelWorkers?: number;
}
