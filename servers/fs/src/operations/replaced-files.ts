import { Field } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

/** A place where something would be replaced. */
export class Occurrence {
  @Field('Holds as long as the file is as it is')
  @IsString()
  id!: string;

  @IsInt()
  line!: number;

  @Field('That line, or its beginning')
  @IsString()
  text!: string;
}

/** A file in which something was replaced, or would be. */
export class ReplacedFile {
  @IsString()
  path!: string;

  @IsString()
  etag!: string;

  @IsInt()
  replacements!: number;

  @Field('Of a dry run', { type: () => Occurrence })
  @IsOptional()
  @ValidateNested({ each: true })
  occurrences?: Occurrence[];
}

/** What was replaced in files, or would be. */
export class ReplacedFiles {
  @Field('Those that changed', { type: () => ReplacedFile })
  @ValidateNested({ each: true })
  files!: ReplacedFile[];

  @Field('In all files')
  @IsInt()
  replacements!: number;

  @Field('Binary files, which stay as they are')
  @IsInt()
  binary!: number;

  @Field('What could not be read')
  @IsInt()
  unreadable!: number;

  @Field('For undo_change: undoes all of it')
  @IsOptional()
  @IsString()
  undoId?: string;
}
