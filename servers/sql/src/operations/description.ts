import { Field, Flag, Integer, ListOf, ObjectOf, Text, TextList } from '@org/mcp-decorators';
import { IsNumber, IsOptional } from 'class-validator';

export class DescribedColumn {
  @Text() name!: string;
  @Text() type!: string;
  @Flag() nullable!: boolean;
  @Text({ optional: true }) default?: string;
  @Text({ optional: true }) comment?: string;
  @TextList('Values of an enum', { optional: true }) labels?: string[];

  @Field('Share of NULLs, 0 to 1')
  @IsOptional()
  @IsNumber()
  null_fraction?: number;

  @Field('Different values; negative: per row')
  @IsOptional()
  @IsNumber()
  distinct?: number;

  @TextList({ optional: true }) common_values?: string[];
}

export class DescribedKey {
  @Text() name!: string;
  @TextList() columns!: string[];
  @Text('The table on the other side') table!: string;
  @TextList() references!: string[];
}

export class DescribedPart {
  @Text() name!: string;
  @Text() definition!: string;
}

export class DescribedMember {
  @Text() kind!: string;
  @Text() name!: string;
  @Text({ optional: true }) comment?: string;
}

export class DescribedSize {
  @Integer() table_bytes!: number;
  @Integer() index_bytes!: number;
}

export class DescribedUse {
  @Integer() live_rows!: number;
  @Integer() dead_rows!: number;
  @Integer() sequential_scans!: number;
  @Integer() index_scans!: number;
  @Text({ optional: true }) last_vacuum?: string;
  @Text({ optional: true }) last_analyze?: string;
}

/** An object with what was asked of it; what does not apply to its kind is left out. */
export class Description {
  @Text() schema!: string;
  @Text() name!: string;
  @Text() kind!: string;
  @Text({ optional: true }) comment?: string;
  @Integer('By the planner', { optional: true }) estimated_rows?: number;
  @ListOf(() => DescribedColumn, { optional: true }) columns?: DescribedColumn[];
  @TextList({ optional: true }) primary_key?: string[];
  @ListOf(() => DescribedKey, 'Foreign keys that lead from here', { optional: true }) foreign_keys?: DescribedKey[];
  @ListOf(() => DescribedKey, 'Foreign keys that lead here', { optional: true }) referenced_by?: DescribedKey[];
  @ListOf(() => DescribedPart, 'Other constraints', { optional: true }) constraints?: DescribedPart[];
  @ListOf(() => DescribedPart, { optional: true }) indexes?: DescribedPart[];
  @ListOf(() => DescribedPart, { optional: true }) triggers?: DescribedPart[];
  @ListOf(() => DescribedPart, { optional: true }) policies?: DescribedPart[];
  @ListOf(() => DescribedPart, 'Partitions, or tables that inherit', { optional: true }) partitions?: DescribedPart[];
  @ObjectOf(() => DescribedUse, { optional: true }) stats?: DescribedUse;
  @ObjectOf(() => DescribedSize, { optional: true }) size?: DescribedSize;
  @ListOf(() => DescribedMember, 'What would break without it', { optional: true }) dependents?: DescribedMember[];
  @ListOf(() => DescribedMember, 'What a schema holds', { optional: true }) members?: DescribedMember[];
  @TextList('What is not shown whole, such as columns: 200 of 1500', { optional: true }) truncated?: string[];
  @Text('Query of a view, partition key or bound, or what else makes it', { optional: true }) definition?: string;
  @Text('Some rows, as CSV', { optional: true }) sample?: string;
  @Text('SQL that makes it', { optional: true }) ddl?: string;
}
