import { Field, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';

import { parseObjectName, type ObjectName } from '../catalog/object-name.ts';
import { columnsOf, constraintsOf, findRelation, indexesOf, type Column, type Constraint } from '../catalog/relation.ts';
import type { Database } from '../database/database.ts';
import { DatabaseInput } from './database-input.ts';
import { withSuggestions } from './suggestions.ts';

export class DescribeInput extends DatabaseInput {
  @Field('Table or view, such as orders or shop.orders')
  @IsString()
  @MinLength(1)
  object!: string;
}

export class DescribedColumn {
  @IsString()
  name!: string;

  @IsString()
  type!: string;

  @IsBoolean()
  nullable!: boolean;

  @IsOptional()
  @IsString()
  default?: string;

  @IsOptional()
  @IsString()
  comment?: string;

  @Field('Values of an enum type, in order')
  @IsOptional()
  @IsString({ each: true })
  labels?: string[];
}

export class DescribedKey {
  @IsString()
  name!: string;

  @IsString({ each: true })
  columns!: string[];

  @Field('The table on the other side')
  @IsString()
  table!: string;

  @Field('The columns that are referred to')
  @IsString({ each: true })
  references!: string[];
}

export class DescribedPart {
  @IsString()
  name!: string;

  @IsString()
  definition!: string;
}

/** A table or view with all that is attached to it. */
export class Description {
  @IsString()
  schema!: string;

  @IsString()
  name!: string;

  @Field('table, view, materialized_view or foreign_table')
  @IsString()
  kind!: string;

  @IsOptional()
  @IsString()
  comment?: string;

  @Field('As the planner guesses')
  @IsOptional()
  @IsInt()
  estimated_rows?: number;

  @Field('Bytes on disk, without indexes')
  @IsOptional()
  @IsInt()
  bytes?: number;

  @Field('In order', { type: () => DescribedColumn })
  @ValidateNested({ each: true })
  columns!: DescribedColumn[];

  @IsString({ each: true })
  primary_key!: string[];

  @Field('Foreign keys that lead from here', { type: () => DescribedKey })
  @ValidateNested({ each: true })
  foreign_keys!: DescribedKey[];

  @Field('Foreign keys of other tables that lead here', { type: () => DescribedKey })
  @ValidateNested({ each: true })
  referenced_by!: DescribedKey[];

  @Field('Unique, check and exclusion constraints', { type: () => DescribedPart })
  @ValidateNested({ each: true })
  constraints!: DescribedPart[];

  @Field('By name', { type: () => DescribedPart })
  @ValidateNested({ each: true })
  indexes!: DescribedPart[];

  @Field('The query of a view')
  @IsOptional()
  @IsString()
  definition?: string;
}

/** @throws ToolError UNDEFINED_OBJECT, and those of `Database.readOnly` */
export function describe(database: Database, { object }: DescribeInput, context: RequestContext): Promise<Description> {
  return withSuggestions(database, context, () => describeRelation(database, parseObjectName(object), context));
}

/** @throws ToolError UNDEFINED_OBJECT, and those of `Database.readOnly` */
export function describeRelation(database: Database, name: ObjectName, { signal }: RequestContext): Promise<Description> {
  return database.readOnly({ signal }, async ({ connection }) => {
    const relation = await findRelation(connection, name);
    const columns = await columnsOf(connection, relation);
    const constraints = await constraintsOf(connection, relation);
    const indexes = await indexesOf(connection, relation);
    const { comment, estimatedRows, bytes, viewDefinition } = relation;
    return {
      schema: relation.schema,
      name: relation.name,
      kind: relation.kind,
      ...(comment !== undefined && { comment }),
      ...(estimatedRows !== undefined && { estimated_rows: estimatedRows }),
      ...(bytes !== undefined && { bytes }),
      columns: columns.map(describedColumn),
      ...describedKeys(constraints),
      indexes: indexes.map(({ name: index, definition }) => ({ name: index, definition })),
      ...(viewDefinition !== undefined && { definition: viewDefinition }),
    };
  });
}

function describedColumn({ name, type, nullable, default: initial, comment, labels }: Column): DescribedColumn {
  return {
    name,
    type,
    nullable,
    ...(initial !== undefined && { default: initial }),
    ...(comment !== undefined && { comment }),
    ...(labels.length > 0 && { labels }),
  };
}

type Keys = Pick<Description, 'primary_key' | 'foreign_keys' | 'referenced_by' | 'constraints'>;

function describedKeys(constraints: readonly Constraint[]): Keys {
  const own = constraints.filter(({ incoming }) => !incoming);
  return {
    primary_key: own.find(({ kind }) => kind === 'primary_key')?.columns ?? [],
    foreign_keys: own.filter(({ kind }) => kind === 'foreign_key').map(describedKey),
    referenced_by: constraints.filter(({ incoming }) => incoming).map(describedKey),
    constraints: own
      .filter(({ kind }) => kind !== 'foreign_key' && kind !== 'primary_key')
      .map(({ name, definition }) => ({ name, definition })),
  };
}

function describedKey({ name, columns, other = '', otherColumns }: Constraint): DescribedKey {
  return { name, columns, table: other, references: otherColumns };
}
