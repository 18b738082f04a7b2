import { visibleName } from './visible-name.ts';

/** What a call would take away or change, looked up before anything is done. */
export interface Loss {
  /** The question's first line, such as `Reset main from 1a2b3c to 4d5e6f and discard 2 changed files?` */
  readonly question: string;
  /** What would be lost, a line each; 20 are shown, the others are counted. */
  readonly lost: readonly string[];
  /** How what is lost can be had back, such as `git reset --hard 1a2b3c`; absent where it cannot. */
  readonly recoverWith?: string;
  /** What a dry run tells programs besides; JSON. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** What a dry run answers. */
export interface Preview {
  readonly preview: Loss;
  /** How the same call without `dry_run` is confirmed; `declined` if the user declined the operation within a day. */
  readonly confirmed_by: 'token' | 'dialogue' | 'declined';
  /** Present with `token`: confirms the same call once, for a day, as long as the state is the same. */
  readonly confirm_token?: string;
}

const MAX_SHOWN = 20;

export const NO_LOSS: Loss = { question: 'Nothing would be lost', lost: [] };

/** Tells a preview from what a call did. */
export function isPreview(outcome: unknown): outcome is Preview {
  return typeof outcome === 'object' && outcome !== null && 'preview' in outcome && 'confirmed_by' in outcome;
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
export function shownLoss({ question, lost, recoverWith, facts }: Loss): Readonly<Record<string, unknown>> {
  return {
    question,
    lost: lost.slice(0, MAX_SHOWN),
    total: lost.length,
    ...(recoverWith !== undefined && { recover_with: recoverWith }),
    ...facts,
  };
}
