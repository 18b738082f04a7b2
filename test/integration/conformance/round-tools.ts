import { RequestContext, Tool, type ElicitOutcome } from '@org/mcp-decorators';

import { Colour, Confirmation, Name } from './forms.ts';
import { modelAnswer, modelQuestion } from './model-question.ts';

const PREFIX = 'test_input_required_result';

const NAME_QUESTION = 'What is your name?';
const GREETING_QUESTION = modelQuestion('Generate a greeting', 50);

/** Tools that request input during a call, so that a call takes several rounds on 2026-07-28. */
export class RoundTools {
  @Tool({ name: `${PREFIX}_elicitation`, description: 'Asks the user for a name' })
  async elicitation(context: RequestContext): Promise<string> {
    return `Hello, ${nameOf(await context.elicit('user_name', NAME_QUESTION, Name))}!`;
  }

  @Tool({ name: `${PREFIX}_sampling`, description: "Asks the client's model" })
  async sampling(context: RequestContext): Promise<string> {
    return modelAnswer(await context.sample('capital_question', modelQuestion('What is the capital of France?', 100)));
  }

  @Tool({ name: `${PREFIX}_list_roots`, description: 'Asks the client for its roots' })
  async listRoots(context: RequestContext): Promise<string> {
    return `Roots: ${await rootsOf(context)}`;
  }

  @Tool({ name: `${PREFIX}_request_state`, description: 'Carries state from one round to the next' })
  async requestState(context: RequestContext): Promise<string> {
    return `state-ok: ${confirmation(await context.elicit('confirm', 'Please confirm', Confirmation))}`;
  }

  @Tool({ name: `${PREFIX}_multiple_inputs`, description: 'Asks for three inputs in one round' })
  async multipleInputs(context: RequestContext): Promise<string> {
    const [name, greeting, roots] = await Promise.all([
      context.elicit('user_name', NAME_QUESTION, Name),
      context.sample('greeting', GREETING_QUESTION),
      rootsOf(context),
    ]);
    return `${modelAnswer(greeting)} ${nameOf(name)}, of ${roots}`;
  }

  @Tool({ name: `${PREFIX}_multi_round`, description: 'Asks in two rounds' })
  async multiRound(context: RequestContext): Promise<string> {
    const name = await context.elicit('step1', 'Step 1: What is your name?', Name);
    const color = await context.elicit('step2', 'Step 2: What is your favorite color?', Colour);
    return `${nameOf(name)} likes ${color.action === 'accept' ? color.content.color : color.action}`;
  }

  @Tool({ name: `${PREFIX}_tampered_state`, description: 'Refuses state that was changed' })
  async tamperedState(context: RequestContext): Promise<string> {
    return `integrity-ok: ${confirmation(await context.elicit('confirm', 'Please confirm', Confirmation))}`;
  }

  @Tool({ name: `${PREFIX}_capabilities`, description: 'Asks for no more than the client can answer' })
  async capabilities(context: RequestContext): Promise<string> {
    const { elicitation, sampling } = context.client.capabilities;
    const [name, greeting, roots] = await Promise.all([
      elicitation && context.elicit('user_name', NAME_QUESTION, Name),
      sampling && context.sample('greeting', GREETING_QUESTION),
      context.roots(),
    ]);
    const answered = Object.entries({ elicitation: name, sampling: greeting, roots }).filter(
      ([, answer]) => answer !== undefined,
    );
    return `Answered: ${answered.map(([kind]) => kind).join(', ')}`;
  }
}

function nameOf(elicited: ElicitOutcome<Name>): string {
  return elicited.action === 'accept' ? elicited.content.name : 'stranger';
}

function confirmation(elicited: ElicitOutcome<Confirmation>): string {
  return elicited.action === 'accept' && elicited.content.ok ? 'confirmed' : 'not confirmed';
}

async function rootsOf(context: RequestContext): Promise<string> {
  const roots = (await context.roots()) ?? [];
  return roots.map(({ uri }) => uri).join(', ');
}
