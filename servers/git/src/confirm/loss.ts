/** What an operation would take away, looked up before anything is done. */
export interface Loss {
  /** The question's first line, such as `Reset main from 1a2b3c to 4d5e6f and discard 2 changed files?` */
  readonly question: string;
  /** What would be lost, a line each: paths, commits, branches. */
  readonly lost: readonly string[];
  /** How what is lost can be had back, such as `git reset --hard 1a2b3c`; absent where it cannot. */
  readonly recoverWith?: string;
  /**
   * What the decision rests on: HEAD, the oids of the refs concerned, a fingerprint of the changes. If any of it is another
   * when the operation begins, it is not done.
   */
  readonly seen: Readonly<Record<string, string>>;
}

/** What a dry run answers. */
export interface Preview {
  readonly preview: Loss;
  /** Confirms the same call for a day, as long as what was seen holds. */
  readonly confirm_token: string;
}

export function isPreview(outcome: unknown): outcome is Preview {
  return typeof outcome === 'object' && outcome !== null && 'confirm_token' in outcome;
}
