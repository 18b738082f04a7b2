import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';

import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log.ts';
import { IsDuration } from './options/duration.ts';

const STRUCTURED = ['auto', 'never'] as const;

/**
 * Options that every server has. A server's own options class extends this one; each annotated property becomes a flag, an
 * environment variable, a key of the config file and a line of `--help`.
 *
 * A text is kept out of sight with `@Field(…, { format: 'password' })`, made absolute where it is written into a client's
 * configuration with `'path'`, and shown by `server://info` only with `'duration'` or `'size'`.
 */
export class ServerOptions {
  /** The property that takes the arguments without a flag; an array takes all of them. */
  static readonly positional: string | undefined = undefined;

  /** Offers only tools with `readOnlyHint: true`. */
  @Field('Offer only tools that change nothing')
  @IsBoolean()
  readOnly = false;

  /** Names on the wire; a name that no tool has ends the process with 2. Default: all tools. */
  @Field('Offer only these tools', { title: 'NAMES' })
  @IsOptional()
  @IsString({ each: true })
  tools?: string[];

  /** Names on the wire, taken out of {@link ServerOptions.tools}. Default: none. */
  @Field('Do not offer these tools', { title: 'NAMES' })
  @IsOptional()
  @IsString({ each: true })
  disableTools?: string[];

  /** `never` drops structured content and output schemas; the text is complete without them. */
  @Field('Send structured content beside the text where a tool has it, or never', { title: 'WHEN' })
  @IsIn([...STRUCTURED])
  structured: 'auto' | 'never' = 'auto';

  /** As a duration: `30s`, `5m`. Tools with a `timeoutMs` of their own keep it. Default: calls may take any time. */
  @Field('End a call that takes longer, such as 30s or 5m, unless its tool has a limit of its own', {
    title: 'DURATION',
    format: 'duration',
  })
  @IsOptional()
  @IsString()
  @IsDuration()
  timeout?: string;

  /** Of the process's own log, not of the messages to clients. */
  @Field('Least severe log lines that are written to stderr', { title: 'LEVEL' })
  @IsIn([...LOG_LEVELS])
  logLevel: LogLevel = 'info';

  /** Of the process's own log. */
  @Field('Form of the log lines', { title: 'FORMAT' })
  @IsIn([...LOG_FORMATS])
  logFormat: LogFormat = 'text';
}
