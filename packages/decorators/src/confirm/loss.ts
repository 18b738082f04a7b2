import type { ViewData } from '../results/result.ts';
import { escapeInvisible } from '../text/visible-name.ts';

/** The effects of a call that the user must approve, determined before the call acts. */
export interface Loss {
  /** First line of the question, such as `Reset main from 1a2b3c to 4d5e6f and discard 2 changed files?` */
  readonly question: string;
  /** Lost items, one line per item. The first 20 lines are shown; the rest is counted. */
  readonly lost: readonly string[];
  /** Command that restores what is lost, such as `git reset --hard 1a2b3c`. Absent if the loss is permanent. */
  readonly recoverWith?: string;
  /** Whether the operation loses nothing, although it needs a confirmation. Default: `false` */
  readonly isHarmless?: boolean;
  /** Further JSON facts for programs in the result of a dry run. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Data for the view of the tool in the result of a dry run. Default: the lost items */
  readonly forView?: ViewData | undefined;
}

/** Result of a dry run. */
export interface Preview {
  readonly preview: Loss;
  /** How to confirm the same call without `dry_run`; `declined` if the user declined the operation within the last day. */
  readonly confirmed_by: 'token' | 'dialogue' | 'declined';
  /** Token that confirms the same call once, within a day, while the state is the same. Present if `confirmed_by` is `token`. */
  readonly confirm_token?: string;
}

const MAX_SHOWN = 20;

export const NO_LOSS: Loss = { question: 'Nothing would be lost', lost: [] };

/** Whether an outcome is the preview of a dry run. */
export function isPreview(outcome: unknown): outcome is Preview {
  return typeof outcome === 'object' && outcome !== null && 'preview' in outcome && 'confirmed_by' in outcome;
}

/** Formats the question for the user. */
export function formatQuestion(loss: Loss): string {
  if (loss === NO_LOSS) return loss.question;
  const { question, lost } = loss;
  return [
    escapeInvisible(question),
    ...lost.slice(0, MAX_SHOWN).map((line) => `- ${escapeInvisible(line)}`),
    ...(lost.length > MAX_SHOWN ? [`- and ${lost.length - MAX_SHOWN} more`] : []),
    ...formatConsequence(loss),
  ].join('\n');
}

function formatConsequence({ recoverWith, isHarmless = false }: Loss): readonly string[] {
  if (recoverWith !== undefined) return [`To undo it: ${escapeInvisible(recoverWith)}`];
  return isHarmless ? [] : ['This cannot be undone.'];
}

/** Returns the loss as JSON for programs. */
export function summarizeLoss({ question, lost, recoverWith, facts }: Loss): Readonly<Record<string, unknown>> {
  return {
    question,
    lost: lost.slice(0, MAX_SHOWN),
    total: lost.length,
    ...(recoverWith !== undefined && { recover_with: recoverWith }),
    ...facts,
  };
}
