import { Field } from '@org/mcp-decorators';
import { IsIn, IsOptional, IsString } from 'class-validator';

const OUTCOMES = [
  'merged',
  'fast_forward',
  'up_to_date',
  'staged',
  'rebased',
  'picked',
  'reverted',
  'finished',
  'in_progress',
  'aborted',
] as const;

export type JoinOutcome = (typeof OUTCOMES)[number];

/** Where HEAD was, and where it is. */
export class JoinedHistory {
  @IsIn([...OUTCOMES])
  outcome!: JoinOutcome;

  @Field('Absent on a detached HEAD')
  @IsOptional()
  @IsString()
  branch?: string;

  @Field('HEAD before')
  @IsString()
  before!: string;

  @IsString()
  after!: string;

  @Field('Command that goes back')
  @IsOptional()
  @IsString()
  recover_with?: string;
}
