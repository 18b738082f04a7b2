import { confirm, staleConfirmation, type Loss as ShownLoss, type Preview, type RequestContext } from '@org/mcp-decorators';

import { readHead } from '../../repository/refs/head.ts';
import type { Repository } from '../../repository/repository.ts';
import type { ConfirmInput } from './confirm-input.ts';

/** The data that an operation would lose, collected before the operation changes anything. */
export interface Loss extends ShownLoss {
  /**
   * State on which the decision depends besides HEAD, such as object names of refs or a fingerprint of changes. If any value differs when
   * the operation starts, the operation is not run.
   */
  readonly seen: Readonly<Record<string, string>>;
}

/** A call that may lose data. */
interface ConfirmedCall<Input extends ConfirmInput> {
  readonly repository: Repository;
  readonly input: Input;
  readonly context: RequestContext;
}

/** The data that would be lost, and the state on which the confirmation depends, as JSON. */
interface Seen {
  readonly loss: Loss | undefined;
  readonly state: string;
}

const SUBJECT = 'the repository';

/**
 * Runs an operation that would lose data only after the user, or the token of a dry run, confirms exactly that loss. A dry run changes
 * nothing.
 *
 * `lookUp` returns the loss, or `undefined` if nothing would be lost; then no confirmation is needed. It has no side effects and runs
 * again under the write lock of the repository: HEAD and the loss must still be what was confirmed. If they changed while the
 * user decided, the operation is not run, or a call that starts again with the answer asks the user again.
 *
 * @throws ToolError CONFIRMATION_REQUIRED, DECLINED, PRECONDITION_FAILED if the repository changed after the confirmation,
 * INVALID_ARGUMENTS for a token of another call, and the errors of `lookUp` and `act`
 */
export async function runWhenConfirmed<Input extends ConfirmInput, Outcome>(
  { repository, input, context }: ConfirmedCall<Input>,
  lookUp: () => Promise<Loss | undefined>,
  act: (loss: Loss | undefined) => Promise<Outcome>,
): Promise<Outcome | Preview> {
  const look = async (): Promise<Seen> => {
    const loss = await lookUp();
    const head = loss && (await readHead(repository));
    return { loss, state: JSON.stringify([repository.layout.gitDir, head, sortEntries(loss?.seen ?? {}), loss?.lost]) };
  };
  const { loss, state } = await look();
  const preview = await confirm({ input, context, loss, state, subject: SUBJECT });
  if (preview !== undefined) return preview;
  return repository.withWriteLock(async () => {
    const now = await look();
    if (now.state !== state) throw staleConfirmation(SUBJECT);
    return act(now.loss);
  });
}

function sortEntries(values: object): readonly unknown[] {
  return Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
}
