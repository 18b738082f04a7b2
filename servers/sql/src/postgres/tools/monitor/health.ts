import { Field, ListOf, OneOf, Result, Text, TextList, type RequestContext } from '@org/mcp-decorators';
import { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

import { timeoutFor } from '../../../engine/limits.ts';
import type { Database } from '../../database/database.ts';
import { oneLine } from '../../../rows/shown-value.ts';
import { DatabaseInput } from '../../../tools/database-input.ts';
import { HEALTH_CHECKS, runHealthCheck, STATUSES, type Finding, type Status } from './health-checks/check-health.ts';
import type { HealthCheck } from './health-checks/health-check.ts';

export class HealthInput extends DatabaseInput {
  @Field('Run only these checks; default: all')
  @IsOptional()
  @IsIn(HEALTH_CHECKS.map(({ id }) => id), { each: true })
  checks?: string[];
}

export class CheckedHealth {
  @Text() id!: string;
  @OneOf(STATUSES, 'unknown if the role or the server lacks the information') status!: Status;

  @Field('The worst measured value, or the number of problems')
  @IsOptional()
  @IsNumber()
  value?: number;

  @Field('Warning threshold')
  @IsNumber()
  threshold!: number;

  @Text() unit!: string;

  @TextList('Findings past the threshold, worst first, at most 10; or why the status is unknown', {
    optional: true,
  })
  findings?: string[];

  @TextList('SQL that would fix the findings; review it first', { optional: true }) fix_sql?: string[];
}

export class Health {
  @ListOf(() => CheckedHealth) checks!: CheckedHealth[];
}

/** @throws ToolError errors of `Database.readOnly` */
export async function checkHealth(database: Database, input: HealthInput, context: RequestContext): Promise<Result> {
  const wanted = HEALTH_CHECKS.filter(({ id }) => input.checks?.includes(id) ?? true);
  const options = { signal: context.signal, timeoutMs: timeoutFor(database, input) };
  const checks: CheckedHealth[] = [];
  for (const check of wanted) {
    context.progress(checks.length, wanted.length, check.id);
    checks.push(toCheckedHealth(check, await runHealthCheck(check, database, options)));
  }
  return Result.of({ checks } satisfies Health, formatHealth(checks));
}

function toCheckedHealth({ id, warn, unit }: HealthCheck, { status, value, findings, fixes }: Finding): CheckedHealth {
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

const SHOWN_FIRST = ['critical', 'warn', 'unknown'] as const;

function formatHealth(checks: readonly CheckedHealth[]): string {
  const fine = checks.filter(({ status }) => status === 'ok');
  return [
    ...SHOWN_FIRST.flatMap((status) => checks.filter((check) => check.status === status)).flatMap(formatCheck),
    ...(fine.length === 0 ? [] : [`ok: ${fine.map(({ id, value, unit }) => `${id}${formatValue(value, unit)}`).join(', ')}`]),
  ].join('\n');
}

function formatCheck({ id, status, value, threshold, unit, findings = [], fix_sql = [] }: CheckedHealth): readonly string[] {
  const limit = unit === 'problems' || status === 'unknown' ? '' : `, warns at ${threshold} ${unit}`;
  return [
    `${status} ${id}${formatValue(value, unit)}${limit}`,
    ...findings.map((finding) => `  ${oneLine(finding)}`),
    ...fix_sql.map((sql) => `  fix: ${oneLine(sql)};`),
  ];
}

function formatValue(value: number | undefined, unit: string): string {
  if (value === undefined || value === 0) return '';
  return ` ${value} ${unit === 'problems' && value === 1 ? 'problem' : unit}`;
}
