import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

/** Something that goes from one path to another. */
export class TransferInput {
  @IsString()
  source!: string;

  @IsString()
  destination!: string;

  @Field('Replace an existing file')
  @IsOptional()
  @IsBoolean()
  overwrite?: boolean;

  @Field('Only if this is the etag of the source')
  @IsOptional()
  @IsString()
  ifMatch?: string;

  @Field('Cannot be undone')
  @IsOptional()
  @IsBoolean()
  permanent?: boolean;
}
