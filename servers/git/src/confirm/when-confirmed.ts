import { createHash } from 'node:crypto';

import { Field, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsBoolean } from 'class-validator';

import { headOf } from '../repository/head.ts';
import type { Repository } from '../repository/repository.ts';
import type { ConfirmInput } from './confirm-input.ts';
import { NO_LOSS, questionOf, shownLoss, type Loss, type Preview } from './loss.ts';

/** The form that the user is asked to fill in. */
class Confirmation {
  @Field('Do it')
  @IsBoolean()
  confirm!: boolean;
}

/** A call that may lose something. */
export interface Risk<Input extends ConfirmInput> {
  readonly repository: Repository;
  readonly input: Input;
  readonly context: RequestContext;
}

/** What would be lost, and what stands for it, for the arguments and for HEAD. */
interface Seen {
  readonly loss: Loss | undefined;
  readonly mark: string;
}

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
  { repository, input, context }: Risk<Input>,
  lookUp: () => Promise<Loss | undefined>,
  act: (loss: Loss | undefined) => Promise<Outcome>,
): Promise<Outcome | Preview> {
  const look = async (): Promise<Seen> => {
    const loss = await lookUp();
    return { loss, mark: markOf(input, [repository.ground.gitDir, loss && (await headOf(repository))], loss) };
  };
  const { loss, mark } = await look();
  if (input.dry_run) return { preview: loss ?? NO_LOSS, confirm_token: await context.seal(mark) };
  if (input.confirm_token !== undefined) await requireToken(input.confirm_token, mark, context);
  else if (loss !== undefined) await ask(loss, mark, context);
  return repository.alone(async () => {
    const now = await look();
    if (now.mark !== mark) throw outdated();
    return act(now.loss);
  });
}

async function requireToken(token: string, mark: string, context: RequestContext): Promise<void> {
  const sealed = await context.unseal(token).catch((error: unknown) => {
    if (!ToolError.is(error)) throw error;
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'the confirm_token was not made by this tool for this caller, or is older than a day',
      {
        hint: 'call with dry_run: true to get one',
      },
    );
  });
  if (sealed !== mark) throw outdated();
}

async function ask(loss: Loss, mark: string, context: RequestContext): Promise<void> {
  const text = questionOf(loss);
  if (!canBeAsked(context)) throw unconfirmed(`this has to be confirmed. ${text}`, loss);
  // The key names what was seen: the answer to a question about another state is not taken for this one's.
  const answer = await context.elicit(`confirm-${mark}`, text, Confirmation);
  if (answer.action !== 'accept' || !answer.content.confirm)
    throw unconfirmed('the user did not confirm it; nothing was done', loss);
}

/** Forms are what was meant before there were modes; later they are named. */
function canBeAsked({ client }: RequestContext): boolean {
  const { elicitation } = client.capabilities;
  return elicitation !== undefined && (!('url' in elicitation) || 'form' in elicitation);
}

function markOf(input: ConfirmInput, ground: readonly unknown[], loss: Loss | undefined): string {
  const { dry_run: _, confirm_token: __, ...given } = input;
  return createHash('sha256')
    .update(JSON.stringify([sorted(given), ground, sorted(loss?.seen ?? {}), loss?.lost]))
    .digest('base64url');
}

function sorted(values: object): readonly unknown[] {
  return Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
}

function unconfirmed(message: string, loss: Loss): ToolError {
  return new ToolError('CONFIRMATION_REQUIRED', message, {
    hint: 'call again with dry_run: true, show the user what would be lost, then pass the confirm_token it returns',
    data: shownLoss(loss),
  });
}

function outdated(): ToolError {
  return new ToolError('PRECONDITION_FAILED', 'the repository or the arguments are not what was confirmed; nothing was done', {
    hint: 'look again with dry_run: true',
  });
}
