import { Field, Flag, Integer, ListOf, ObjectOf, Text, TextList } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';

/** The parts that a description may include. Some parts apply only to some engines. */
export const INCLUDABLE = [
  'columns',
  'constraints',
  'indexes',
  'triggers',
  'policies',
  'stats',
  'size',
  'dependents',
  'sample',
  'ddl',
] as const;

/** A part that a description may include. */
export type Includable = (typeof INCLUDABLE)[number];

export class DescribedColumn {
  @Text() name!: string;
  @Text() type!: string;
  @Flag() nullable!: boolean;
  @Text({ optional: true }) default?: string;
  @Text({ optional: true }) comment?: string;
  @TextList('Values of the enum type', { optional: true }) labels?: string[];

  @Field('Fraction of NULLs, 0 to 1')
  @IsOptional()
  @IsNumber()
  null_fraction?: number;

  @Field('Number of distinct values; negative: -(number / rows)')
  @IsOptional()
  @IsNumber()
  distinct?: number;

  @TextList({ optional: true }) common_values?: string[];
}

export class DescribedKey {
  @Text() name!: string;
  @TextList() columns!: string[];
  @Text('The other table') table!: string;
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

/** A database object with the requested parts. Parts that do not apply to the kind of object are absent. */
export class Description {
  @Text() schema!: string;
  @Text() name!: string;
  @Text() kind!: string;
  @Text({ optional: true }) comment?: string;
  @Integer({ optional: true }) estimated_rows?: number;
  @ListOf(() => DescribedColumn, { optional: true }) columns?: DescribedColumn[];
  @TextList({ optional: true }) primary_key?: string[];
  @ListOf(() => DescribedKey, 'Foreign keys of this table', { optional: true }) foreign_keys?: DescribedKey[];
  @ListOf(() => DescribedKey, 'Foreign keys that reference this table', { optional: true })
  referenced_by?: DescribedKey[];
  @ListOf(() => DescribedPart, 'Other constraints', { optional: true }) constraints?: DescribedPart[];
  @ListOf(() => DescribedPart, { optional: true }) indexes?: DescribedPart[];
  @ListOf(() => DescribedPart, { optional: true }) triggers?: DescribedPart[];
  @ListOf(() => DescribedPart, { optional: true }) policies?: DescribedPart[];
  @ListOf(() => DescribedPart, 'Partitions or inheriting tables', { optional: true }) partitions?: DescribedPart[];
  @ObjectOf(() => DescribedUse, { optional: true }) stats?: DescribedUse;
  @ObjectOf(() => DescribedSize, { optional: true }) size?: DescribedSize;
  @ListOf(() => DescribedMember, { optional: true }) dependents?: DescribedMember[];
  @ListOf(() => DescribedMember, 'Objects of a schema', { optional: true }) members?: DescribedMember[];
  @TextList('Parts that are cut, such as columns: 200 of 1500', { optional: true }) truncated?: string[];
  @Text('Query of a view, partition key or bound, or other definition', { optional: true }) definition?: string;
  @Text('Sample rows as CSV', { optional: true }) sample?: string;
  @Text({ optional: true }) ddl?: string;
}
