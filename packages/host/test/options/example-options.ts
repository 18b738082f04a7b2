import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsInt, IsNumber, IsOptional, IsString, Max, Min } from 'class-validator';

import { describeOptions, type Option } from '../../src/options/option.ts';
import { ServerOptions } from '../../src/options/server-options.ts';

/** Options of each type: list, number and boolean, with and without a default. */
export class ExampleOptions extends ServerOptions {
  static override readonly positional: string | undefined = 'directories';

  @Field('Directories that are served', { title: 'DIRECTORY' })
  @IsString({ each: true })
  directories: string[] = [];

  @Field('Most entries that one listing returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(5000)
  maxEntries = 2000;

  @Field('Share of calls that are traced')
  @IsNumber()
  @Min(0)
  @IsOptional()
  traceRatio?: number;

  @Field('Keep what was read')
  @IsBoolean()
  cache = true;

  @Field('Files that are not served')
  @IsOptional()
  @IsString({ each: true })
  deny?: string[];
}

export const EXAMPLE: readonly Option[] = describeOptions(ExampleOptions, 'mcp-example');
