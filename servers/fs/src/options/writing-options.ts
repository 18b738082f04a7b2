import { Integer, OneOf } from '@org/mcp-decorators';

import { FindingOptions } from './finding-options.ts';

const DURABILITIES = ['full', 'fast'] as const;

/** `full`: a change that was answered outlives a power failure. `fast`: it outlives the process only. */
export type Durability = (typeof DURABILITIES)[number];

/** Options of how changes are made, and undone. */
export class WritingOptions extends FindingOptions {
  @OneOf(DURABILITIES, 'full: changes outlive a power failure; fast: they outlive the process only', { title: 'HOW' })
  durability: Durability = 'full';

  @Integer('Largest file that edit_file changes', { min: 1024, max: 268_435_456, title: 'BYTES' }) maxEditBytes = 16_777_216;
  @Integer('Most files that one replace_in_files changes', { min: 1, max: 1000, title: 'N' }) maxReplaceFiles = 100;

  @Integer('Most bytes of the files that one replace_in_files changes, and characters that come into them', {
    min: 1024,
    max: 268_435_456,
    title: 'BYTES',
  })
  maxReplaceBytes = 33_554_432;

  @Integer('Most occurrences that one replace_in_files replaces', { min: 1, max: 100_000, title: 'N' }) maxReplacements = 10_000;

  @Integer('Most entries of a directory that is copied, or removed so that it can be undone', {
    min: 1,
    max: 1_000_000,
    title: 'N',
  })
  maxTreeEntries = 10_000;

  @Integer('How long a change waits for others of the same file', { min: 100, max: 600_000, title: 'MS' }) lockTimeoutMs = 30_000;

  @Integer('Most that is kept for undo_change; the oldest goes first', { min: 1_048_576, max: 1_099_511_627_776, title: 'BYTES' })
  maxJournalBytes = 268_435_456;

  @Integer('For how long changes can be undone', { min: 1, max: 3650, title: 'DAYS' }) maxJournalDays = 30;
}
