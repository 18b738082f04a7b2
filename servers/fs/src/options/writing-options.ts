import { Field } from '@org/mcp-decorators';
import { IsIn, IsInt, Max, Min } from 'class-validator';

import { FindingOptions } from './finding-options.ts';

const DURABILITIES = ['full', 'fast'] as const;

/** `full`: a change that was answered outlives a power failure. `fast`: it outlives the process only. */
export type Durability = (typeof DURABILITIES)[number];

/** Options of how changes are made, and undone. */
export class WritingOptions extends FindingOptions {
  @Field('full: changes outlive a power failure; fast: they outlive the process only', { title: 'HOW' })
  @IsIn([...DURABILITIES])
  durability: Durability = 'full';

  @Field('Largest file that edit_file changes', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(268_435_456)
  maxEditBytes = 16_777_216;

  @Field('Most files that one replace_in_files changes', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(1000)
  maxReplaceFiles = 100;

  @Field('Most bytes of the files that one replace_in_files changes, and characters that come into them', { title: 'BYTES' })
  @IsInt()
  @Min(1024)
  @Max(268_435_456)
  maxReplaceBytes = 33_554_432;

  @Field('Most occurrences that one replace_in_files replaces', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(100_000)
  maxReplacements = 10_000;

  @Field('Most entries of a directory that is copied, or removed so that it can be undone', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  maxTreeEntries = 10_000;

  @Field('How long a change waits for others of the same file', { title: 'MS' })
  @IsInt()
  @Min(100)
  @Max(600_000)
  lockTimeoutMs = 30_000;

  @Field('Most that is kept for undo_change; the oldest goes first', { title: 'BYTES' })
  @IsInt()
  @Min(1_048_576)
  @Max(1_099_511_627_776)
  maxJournalBytes = 268_435_456;

  @Field('For how long changes can be undone', { title: 'DAYS' })
  @IsInt()
  @Min(1)
  @Max(3650)
  maxJournalDays = 30;
}
