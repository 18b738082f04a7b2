import { visibleName } from '../text/visible.ts';

/** What an operation would take away, looked up before anything is done. */
export interface Loss {
  /** The question's first line, such as `Reset main from 1a2b3c to 4d5e6f and discard 2 changed files?` */
  readonly question: string;
  /** What would be lost, a line each: paths, commits, branches. */
  readonly lost: readonly string[];
  /** How what is lost can be had back, such as `git reset --hard 1a2b3c`; absent where it cannot. */
  readonly recoverWith?: string;
  /**
   * What the decision rests on besides HEAD: the oids of the refs concerned, a fingerprint of the changes. If any of it is
   * another when the operation begins, it is not done.
   */
  readonly seen: Readonly<Record<string, string>>;
}

/** What a dry run answers. */
export interface Preview {
  readonly preview: Loss;
  /** Confirms the same call for a day, as long as what was seen holds. */
  readonly confirm_token: string;
}

/** More lines of what would be lost are counted, not shown. */
const MAX_SHOWN = 20;

export const NO_LOSS: Loss = { question: 'Nothing would be lost', lost: [], seen: {} };

export function isPreview(outcome: unknown): outcome is Preview {
  return typeof outcome === 'object' && outcome !== null && 'confirm_token' in outcome;
}

/** What the user reads before deciding. */
export function questionOf(loss: Loss): string {
  if (loss === NO_LOSS) return loss.question;
  const { question, lost, recoverWith } = loss;
  return [
    visibleName(question),
    ...lost.slice(0, MAX_SHOWN).map((line) => `- ${visibleName(line)}`),
    ...(lost.length > MAX_SHOWN ? [`- and ${lost.length - MAX_SHOWN} more`] : []),
    recoverWith === undefined ? 'This cannot be undone.' : `To undo it: ${visibleName(recoverWith)}`,
  ].join('\n');
}

/** The same for programs. */
export function shownLoss({ question, lost, recoverWith }: Loss): Readonly<Record<string, unknown>> {
  return {
    question,
    lost: lost.slice(0, MAX_SHOWN),
    total: lost.length,
    ...(recoverWith !== undefined && { recover_with: recoverWith }),
  };
}
