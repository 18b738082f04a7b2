export type JoinOutcome =
  | 'merged'
  | 'fast_forward'
  | 'up_to_date'
  | 'staged'
  | 'rebased'
  | 'picked'
  | 'reverted'
  | 'finished'
  | 'in_progress'
  | 'aborted';

/** Where HEAD was, and where it is. */
export interface JoinedHistory {
  readonly outcome: JoinOutcome;
  /** Absent on a detached HEAD. */
  readonly branch?: string;
  /** The commit of HEAD before. */
  readonly before: string;
  readonly after: string;
  /** The command that goes back. */
  readonly recover_with?: string;
}
