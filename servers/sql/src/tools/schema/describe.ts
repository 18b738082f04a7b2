import { Field, Result, Text, type RequestContext } from '@org/mcp-decorators';
import { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';

import { INCLUDABLE, type Includable } from '../../catalog/description.ts';
import { MAX_OBJECT_NAME, parseObjectName } from '../../catalog/object-name.ts';
import { timeoutFor } from '../../engine/limits.ts';
import type { SqlDatabase } from '../../engine/sql-database.ts';
import { shortenParts } from '../../rows/fit.ts';
import { DatabaseInput } from '../database-input.ts';
import { withSuggestions } from '../suggestions.ts';
import { formatDescription } from './description-text.ts';

export class DescribeInput extends DatabaseInput {
  @Text('Table, view, function, sequence, index, type or schema, such as shop.orders', {
    minLength: 1,
    maxLength: MAX_OBJECT_NAME,
  })
  object!: string;

  @Field('Parts to include')
  @IsIn([...INCLUDABLE], { each: true })
  include: Includable[] = [...BRIEF];
}

/** The default parts. */
const BRIEF = ['columns', 'constraints', 'indexes'] as const satisfies readonly Includable[];

/** @throws ToolError UNDEFINED_OBJECT, and errors of `query` */
export async function describeObject(database: SqlDatabase, input: DescribeInput, context: RequestContext): Promise<Result> {
  const { object, include } = input;
  const timeoutMs = timeoutFor(database, input);
  const whole = await withSuggestions(database, context, () =>
    database.describe({ name: parseObjectName(object), include, timeoutMs }, context),
  );
  const description = shortenParts(whole, database.limits.maxBytes);
  return Result.of(description, formatDescription(description));
}
