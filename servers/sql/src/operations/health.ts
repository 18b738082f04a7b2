import { Field, ListOf, OneOf, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { IsIn, IsNumber, IsOptional } from 'class-validator';

import type { Database } from '../database/database.ts';
import { checkHealth, HEALTH_CHECKS, STATUSES, type Finding, type Status } from '../health/check-health.ts';
import type { HealthCheck } from '../health/health-check.ts';
import { DatabaseInput } from './database-input.ts';

export class HealthInput extends DatabaseInput {
  @Field('Only these; default: all')
  @IsOptional()
  @IsIn(HEALTH_CHECKS.map(({ id }) => id), { each: true })
  checks?: string[];
}

export class CheckedHealth {
  @Text() id!: string;
  @OneOf(STATUSES, 'unknown where the role or the server cannot tell') status!: Status;

  @Field('The worst that was measured, or the number of problems')
  @IsOptional()
  @IsNumber()
  value?: number;

  @Field('Value of a warning')
  @IsNumber()
  threshold!: number;

  @Text() unit!: string;

  @TextList('What is past the threshold, the worst first, at most 10; or why it is unknown', { optional: true })
  findings?: string[];

  @TextList('Statements that would mend it, to be thought about first', { optional: true }) fix_sql?: string[];
}

export class Health {
  @ListOf(() => CheckedHealth) checks!: CheckedHealth[];
}

/** @throws ToolError those of `Database.readOnly` */
export async function health(database: Database, input: HealthInput, context: RequestContext): Promise<Health> {
  const wanted = HEALTH_CHECKS.filter(({ id }) => input.checks?.includes(id) ?? true);
  const options = { signal: context.signal, timeoutMs: database.timeoutFor(input) };
  const checks: CheckedHealth[] = [];
  for (const check of wanted) {
    context.progress(checks.length, wanted.length, check.id);
    checks.push(checkedHealth(check, await checkHealth(check, database, options)));
  }
  return { checks };
}

function checkedHealth({ id, warn, unit }: HealthCheck, { status, value, findings, fixes }: Finding): CheckedHealth {
  return {
    id,
    status,
    ...(value !== undefined && { value }),
    threshold: warn,
    unit,
    ...(findings.length > 0 && { findings: [...findings] }),
    ...(fixes.length > 0 && { fix_sql: [...fixes] }),
  };
}
