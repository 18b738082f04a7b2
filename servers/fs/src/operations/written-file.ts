import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';

/** A file that was written. */
export class WrittenFile {
  @IsString()
  path!: string;

  @Field('Size now')
  @IsInt()
  bytes!: number;

  @IsBoolean()
  created!: boolean;

  @IsString()
  etag!: string;

  @IsOptional()
  @IsString()
  previousEtag?: string;

  @Field('For undo_change')
  @IsOptional()
  @IsString()
  undoId?: string;
}
