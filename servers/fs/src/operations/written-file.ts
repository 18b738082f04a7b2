import { IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';

/** A file that was written. */
export class WrittenFile {
  @IsString()
  path!: string;

  @IsInt()
  bytes!: number;

  @IsBoolean()
  created!: boolean;

  @IsString()
  etag!: string;

  @IsOptional()
  @IsString()
  previousEtag?: string;

  @IsOptional()
  @IsString()
  undoId?: string;

  @IsOptional()
  @IsString()
  warning?: string;
}
