import { Field } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString } from 'class-validator';

/** A change of names. */
export class MadeChange {
  @IsString()
  path!: string;

  @Field('How much was in a directory')
  @IsOptional()
  @IsInt()
  entries?: number;

  @Field('What the operator denies, and was left out')
  @IsOptional()
  @IsInt()
  skipped?: number;

  @Field('For undo_change')
  @IsOptional()
  @IsString()
  undoId?: string;
}
