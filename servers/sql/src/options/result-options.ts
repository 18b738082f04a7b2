import { Field, Integer } from '@org/mcp-decorators';
import { IsNumber, IsOptional, Min } from 'class-validator';

import { SafetyOptions } from './safety-options.ts';

/** How much a call may take and return. */
export class ResultOptions extends SafetyOptions {
  @Integer('Most rows that a call may ask for', { min: 1, max: 10_000, title: 'N' }) maxRows = 10_000;

  /**
   * Hosts keep 20,000 characters or more of a result. The limit includes fences, notes, totals and notices; it applies to the text, to
   * structured content and to `_meta`, each by itself.
   */
  @Integer('Maximum number of bytes that a call returns; a note says how to read the rest', {
    min: 1024,
    max: 8_388_608,
    title: 'BYTES',
  })
  maxBytes = 20_000;

  @Integer('Most bytes of disk that kept results and exports may take together', { min: 1_048_576, title: 'BYTES' })
  maxSpool = 1_073_741_824;

  @Integer('How long a kept result or an export is there after its last use', { min: 100, max: 86_400_000, title: 'MS' })
  keepMs = 900_000;

  @Integer('Longest that a statement may run, and its default', { min: 100, max: 3_600_000, title: 'MS' }) timeoutMs = 30_000;

  @Integer('Longest that execute, run_maintenance and import may be given by timeout_ms; their default is --timeout-ms', {
    min: 100,
    max: 86_400_000,
    title: 'MS',
  })
  writeTimeoutMs = 3_600_000;

  @Integer("Memory that a sort or hash may take before it goes to disk; default: the database server's", {
    optional: true,
    min: 64,
    max: 2_147_483_647,
    title: 'KB',
  })
  workMem?: number;

  @Field('Refuse statements that read if the planner expects them to cost more; default: none', { title: 'COST' })
  @IsOptional()
  @IsNumber()
  @Min(1)
  maxCost?: number;

  @Integer("Workers that a parallel step may have; default: the database server's", {
    optional: true,
    min: 0,
    max: 1024,
    title: 'N',
  })
  parallelWorkers?: number;
}
