import { Field, Prompt, RequestContext, Resource, Tool, type ElicitOutcome } from '@org/mcp-decorators';
import { ArrayMaxSize, IsBoolean, IsIn, IsInt, IsString, Max, Min, MinLength } from 'class-validator';

const TITLES = { s: 'Small', l: 'Large' };

class Survey {
  @Field('Your name', { title: 'Name' }) @IsString() @MinLength(2) name!: string;
  @Field('How old you are') @IsInt() @Min(0) @Max(150) age!: number;
  @Field('Whether to write to you') @IsBoolean() letters = true;
  @Field('How large', { titles: TITLES }) @IsIn(['s', 'l']) size = 'l';
}

/** A field for several choices, which forms support since 2025-11-25. */
class Sizes {
  @Field('Which of them', { titles: TITLES }) @IsIn(['s', 'l'], { each: true }) @ArrayMaxSize(2) some!: string[];
}

/** A form that every revision with elicitation supports. */
class Size {
  @Field('How large', { titles: TITLES }) @IsIn(['s', 'l']) size!: string;
}

class Consent {
  @Field('Whether to go on') @IsBoolean() ok!: boolean;
}

class Name {
  @Field('Your name') @IsString() name!: string;
}

const DREAM = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Dream' } }],
  maxTokens: 50,
};

/** Tools for each kind of input request, and a prompt and a resource that request input. */
export class AskingTools {
  @Tool({ description: 'Asks for everything a form can have' })
  async survey(context: RequestContext): Promise<string> {
    return told(await context.elicit('survey', 'Who are you?', Survey));
  }

  @Tool({ description: 'Asks for a size' })
  async size(context: RequestContext): Promise<string> {
    return told(await context.elicit('size', 'How large?', Size));
  }

  @Tool({ description: 'Asks for several sizes at once' })
  async sizes(context: RequestContext): Promise<string> {
    return told(await context.elicit('sizes', 'Which sizes?', Sizes));
  }

  @Tool({ description: 'Asks two questions, one after the other' })
  async twice(context: RequestContext): Promise<string> {
    const name = await context.elicit('name', 'Who are you?', Name);
    const consent = await context.elicit('consent', 'Go on?', Consent);
    return `${told(name)} ${told(consent)}`;
  }

  @Tool({ description: 'Asks two questions at once' })
  async both(context: RequestContext): Promise<string> {
    const asked = [context.elicit('name', 'Who are you?', Name), context.elicit('consent', 'Go on?', Consent)];
    return (await Promise.all(asked)).map(told).join(' ');
  }

  @Tool({ description: 'Says which directories the client allows' })
  async where(context: RequestContext): Promise<string> {
    const roots = await context.roots();
    return roots?.map(({ uri, name }) => `${uri} ${name}`).join() ?? 'nowhere';
  }

  @Tool({ description: "Asks the client's model" })
  async dream(context: RequestContext): Promise<string> {
    const { content } = await context.sample('dream', DREAM);
    return content.type === 'text' ? content.text : content.type;
  }

  @Prompt({ description: 'Ask the user for a name and return a greeting' })
  async greeting(context: RequestContext): Promise<string> {
    return `Greet ${told(await context.elicit('name', 'Who are you?', Name))}`;
  }

  @Resource({ uri: 'protocol://asked', description: 'Return the answer of the user' })
  async asked(context: RequestContext): Promise<string> {
    return told(await context.elicit('name', 'Who are you?', Name));
  }
}

function told(answer: ElicitOutcome<object>): string {
  return answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action;
}
