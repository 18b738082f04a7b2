import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsNumber, IsOptional, IsString, ValidateNested } from 'class-validator';

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

  @Field('Values of an enum')
  @IsOptional()
  @IsString({ each: true })
  labels?: string[];

  @Field('Share of NULLs, 0 to 1')
  @IsOptional()
  @IsNumber()
  null_fraction?: number;

  @Field('Different values; negative: per row')
  @IsOptional()
  @IsNumber()
  distinct?: number;

  @IsOptional()
  @IsString({ each: true })
  common_values?: string[];
}

export class DescribedKey {
  @IsString()
  name!: string;

  @IsString({ each: true })
  columns!: string[];

  @Field('The table on the other side')
  @IsString()
  table!: string;

  @IsString({ each: true })
  references!: string[];
}

export class DescribedPart {
  @IsString()
  name!: string;

  @IsString()
  definition!: string;
}

export class DescribedMember {
  @IsString()
  kind!: string;

  @IsString()
  name!: string;

  @IsOptional()
  @IsString()
  comment?: string;
}

export class DescribedSize {
  @IsInt()
  table_bytes!: number;

  @IsInt()
  index_bytes!: number;
}

export class DescribedUse {
  @IsInt()
  live_rows!: number;

  @IsInt()
  dead_rows!: number;

  @IsInt()
  sequential_scans!: number;

  @IsInt()
  index_scans!: number;

  @IsOptional()
  @IsString()
  last_vacuum?: string;

  @IsOptional()
  @IsString()
  last_analyze?: string;
}

/** An object with what was asked of it; what does not apply to its kind is left out. */
export class Description {
  @IsString()
  schema!: string;

  @IsString()
  name!: string;

  @IsString()
  kind!: string;

  @IsOptional()
  @IsString()
  comment?: string;

  @Field('By the planner')
  @IsOptional()
  @IsInt()
  estimated_rows?: number;

  @Field({ type: () => DescribedColumn })
  @IsOptional()
  @ValidateNested({ each: true })
  columns?: DescribedColumn[];

  @IsOptional()
  @IsString({ each: true })
  primary_key?: string[];

  @Field('Foreign keys that lead from here', { type: () => DescribedKey })
  @IsOptional()
  @ValidateNested({ each: true })
  foreign_keys?: DescribedKey[];

  @Field('Foreign keys that lead here', { type: () => DescribedKey })
  @IsOptional()
  @ValidateNested({ each: true })
  referenced_by?: DescribedKey[];

  @Field('Other constraints', { type: () => DescribedPart })
  @IsOptional()
  @ValidateNested({ each: true })
  constraints?: DescribedPart[];

  @Field({ type: () => DescribedPart })
  @IsOptional()
  @ValidateNested({ each: true })
  indexes?: DescribedPart[];

  @Field({ type: () => DescribedPart })
  @IsOptional()
  @ValidateNested({ each: true })
  triggers?: DescribedPart[];

  @Field({ type: () => DescribedPart })
  @IsOptional()
  @ValidateNested({ each: true })
  policies?: DescribedPart[];

  @Field('Partitions, or tables that inherit', { type: () => DescribedPart })
  @IsOptional()
  @ValidateNested({ each: true })
  partitions?: DescribedPart[];

  @Field({ type: () => DescribedUse })
  @IsOptional()
  @ValidateNested()
  stats?: DescribedUse;

  @Field({ type: () => DescribedSize })
  @IsOptional()
  @ValidateNested()
  size?: DescribedSize;

  @Field('What would break without it', { type: () => DescribedMember })
  @IsOptional()
  @ValidateNested({ each: true })
  dependents?: DescribedMember[];

  @Field('What a schema holds', { type: () => DescribedMember })
  @IsOptional()
  @ValidateNested({ each: true })
  members?: DescribedMember[];

  @Field('What is not shown whole, such as columns: 200 of 1500')
  @IsOptional()
  @IsString({ each: true })
  truncated?: string[];

  @Field('Query of a view, partition key or bound, or what else makes it')
  @IsOptional()
  @IsString()
  definition?: string;

  @Field('Some rows, as CSV')
  @IsOptional()
  @IsString()
  sample?: string;

  @Field('SQL that makes it')
  @IsOptional()
  @IsString()
  ddl?: string;
}
