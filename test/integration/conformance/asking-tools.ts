import { RequestContext, Tool, type ElicitOutcome } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

import { Answer, CHOICES, Defaults } from './forms.ts';
import { modelAnswer, modelQuestion } from './model-question.ts';

export class PromptInput {
  @IsString() prompt!: string;
}

export class MessageInput {
  @IsString() message!: string;
}

/** Tools that request input from the client once. */
export class AskingTools {
  @Tool({ description: "Asks the client's model" })
  async testSampling({ prompt }: PromptInput, context: RequestContext): Promise<string> {
    return `LLM response: ${modelAnswer(await context.sample('prompt', modelQuestion(prompt, 100)))}`;
  }

  @Tool({ description: 'Asks the user' })
  async testElicitation({ message }: MessageInput, context: RequestContext): Promise<string> {
    return `User response: ${outcome(await context.elicit('answer', message, Answer))}`;
  }

  @Tool({ name: 'test_elicitation_sep1034_defaults', description: 'Asks the user by a form with defaults' })
  async elicitDefaults(context: RequestContext): Promise<string> {
    const answer = await context.elicit('defaults', 'Please review and update the form fields with defaults', Defaults);
    return `Elicitation completed: ${outcome(answer)}`;
  }

  @Tool({ name: 'test_elicitation_sep1330_enums', description: 'Asks the user by a form with choices' })
  async elicitEnums(context: RequestContext): Promise<string> {
    const answer = await context.elicit('choices', 'Please select options from the enum fields', CHOICES);
    return `Elicitation completed: ${outcome(answer)}`;
  }

  @Tool({ description: 'Needs a model, which its client may not have' })
  async testMissingCapability(context: RequestContext): Promise<string> {
    return modelAnswer(await context.sample('question', modelQuestion('Which capabilities do you have?', 100)));
  }

  @Tool({ description: 'Asks the user, never on the stream of its result' })
  async testStreamingElicitation(context: RequestContext): Promise<string> {
    return `Streaming complete: ${outcome(await context.elicit('answer', 'What do you say?', Answer))}`;
  }
}

function outcome(elicited: ElicitOutcome<object>): string {
  return `action=${elicited.action}, content=${JSON.stringify(elicited.action === 'accept' ? elicited.content : {})}`;
}
