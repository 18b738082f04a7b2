/** How much of a statement is looked at before it is sent. */
export interface PolicyOptions {
  readonly policy: 'strict' | 'standard' | 'off';
  /** Longest statement that is taken, in bytes. */
  readonly maxStatement: number;
}
