import { confirm, outdated, type Preview, type RequestContext } from '@org/mcp-decorators';

import { headOf } from '../repository/head.ts';
import type { Repository } from '../repository/repository.ts';
import type { ConfirmInput } from './confirm-input.ts';
import type { Loss } from './loss.ts';

/** A call that may lose something. */
export interface RiskyCall<Input extends ConfirmInput> {
  readonly repository: Repository;
  readonly input: Input;
  readonly context: RequestContext;
}

/** What would be lost, and what the decision rests on. */
interface Seen {
  readonly loss: Loss | undefined;
  readonly state: string;
}

const SUBJECT = 'the repository';

/**
 * Does what would lose something only if the user, or a token of a dry run, confirms just that; a dry run does nothing.
 *
 * `lookUp` runs again when the operation begins, with nobody else of this server at work in the repository: what was confirmed has
 * to be what is there, and HEAD where it was. It has no side effects. Where it answers `undefined` nothing would be lost, and
 * nobody is asked. A user who is still thinking when something changes is asked again, about what is there then.
 *
 * @throws ToolError CONFIRMATION_REQUIRED if nobody could be asked or the user declined, PRECONDITION_FAILED if what was seen
 * is another by now, INVALID_ARGUMENTS for a token of somebody else, and what the two functions throw
 */
export async function whenConfirmed<Input extends ConfirmInput, Outcome>(
  { repository, input, context }: RiskyCall<Input>,
  lookUp: () => Promise<Loss | undefined>,
  act: (loss: Loss | undefined) => Promise<Outcome>,
): Promise<Outcome | Preview> {
  const look = async (): Promise<Seen> => {
    const loss = await lookUp();
    const head = loss && (await headOf(repository));
    return { loss, state: JSON.stringify([repository.ground.gitDir, head, sorted(loss?.seen ?? {}), loss?.lost]) };
  };
  const { loss, state } = await look();
  const preview = await confirm({ input, context, loss, state, subject: SUBJECT });
  if (preview !== undefined) return preview;
  return repository.alone(async () => {
    const now = await look();
    if (now.state !== state) throw outdated(SUBJECT);
    return act(now.loss);
  });
}

function sorted(values: object): readonly unknown[] {
  return Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
}
