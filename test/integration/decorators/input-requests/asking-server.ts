import { Field, McpServer, Prompt, RequestContext, Tool, type ElicitOutcome } from '@org/mcp-decorators';
import {
  ArrayMaxSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsPositive,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

class Person {
  @Field('Your name') @IsString() @MinLength(2) name!: string;
}

class Colour {
  @Field('A colour', { title: 'Colour' }) @IsIn(['red', 'green']) colour = 'green';
}

const LETTERS = ['a', 'b'];
const TITLES = { a: 'The first', b: 'The second' };

class Choices {
  @Field('One of them', { title: 'One', titles: TITLES }) @IsIn(LETTERS) one = 'b';
  @Field('Some of them', { titles: TITLES }) @IsIn(LETTERS, { each: true }) @ArrayMaxSize(2) some!: string[];
  @Field('How many') @IsInt() @IsPositive() @Max(9) count!: number;
  @Field('Postal or email address', { format: 'email' }) @IsOptional() @IsString() @Matches(/@/) address?: string;
}

export class Consent {
  @Field('Whether to go on') @IsBoolean() ok!: boolean;
}

class Nested {
  @Field('Who', { type: () => Person }) @ValidateNested() person!: Person;
}

export class FileInput {
  @Field('Path of the note to remove') @IsString() path!: string;
  @Field('How often') @IsOptional() @IsInt() @Min(1) @Max(9) times?: number;
}

const GREETING = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Generate a greeting' } }],
  maxTokens: 50,
};

/** A lock that only one call may hold. */
class Lock {
  held = false;
  #holders = 0;

  take(): AsyncDisposable & { readonly holder: number } {
    if (this.held) throw new Error('the lock is taken');
    this.held = true;
    this.#holders += 1;
    const release = (): Promise<void> => {
      this.held = false;
      return Promise.resolve();
    };
    return { holder: this.#holders, [Symbol.asyncDispose]: release };
  }
}

/** A server that requests input from its client in every way, and records its effects. */
@McpServer({ name: 'asking', version: '1.0.0' })
export class AskingServer {
  readonly #lock = new Lock();
  readonly #effects: string[] = [];

  @Tool({ description: 'Ask to open a page, then for a name' })
  async login(context: RequestContext): Promise<string> {
    const page = (id: string): URL => new URL(`https://login.example/?question=${id}`);
    const opened = await context.elicitUrl('login', 'Log in there.', page);
    const person = await context.elicit('name', 'Who are you?', Person);
    const name = person.action === 'accept' ? person.content.name : person.action;
    return JSON.stringify([opened.action, opened.action === 'accept' && opened.elicitationId, name]);
  }

  @Tool({ description: 'Ask two questions, one after the other, holding a lock' })
  async twoSteps(context: RequestContext): Promise<string> {
    await using lock = this.#lock.take();
    const person = await context.elicit('name', 'Who are you?', Person);
    if (person.action !== 'accept') return `name: ${person.action}`;
    const colour = await context.elicit('colour', 'Which colour?', Colour);
    if (colour.action !== 'accept') return `colour: ${colour.action}`;
    this.#effects.push(`two steps of ${lock.holder}`);
    return `${person.content.name} (${person.content.constructor.name}) likes ${colour.content.colour}`;
  }

  @Tool({ description: 'Ask three questions at once' })
  async threeAtOnce(context: RequestContext): Promise<string> {
    const [person, greeting, roots] = await Promise.all([
      context.elicit('name', 'Who are you?', Person),
      context.sample('greeting', GREETING),
      context.roots(),
    ]);
    this.#effects.push('three at once');
    const name = person.action === 'accept' ? person.content.name : person.action;
    const text = greeting.content.type === 'text' ? greeting.content.text : greeting.content.type;
    return `${text} ${name}, of ${roots?.map(({ uri }) => uri).join()}`;
  }

  @Tool({ description: 'Remove a file if the user agrees', input: FileInput })
  async remove({ path }: FileInput, context: RequestContext): Promise<string> {
    const consent: ElicitOutcome<Consent> = await context.elicit('consent', `Remove ${path}?`, Consent);
    if (consent.action !== 'accept' || !consent.content.ok) return 'kept';
    this.#effects.push(`removed ${path}`);
    return 'removed';
  }

  @Tool({ description: 'Ask for choices' })
  async choose(context: RequestContext): Promise<string> {
    return JSON.stringify(await context.elicit('choices', 'What will it be?', Choices));
  }

  @Tool({ description: 'Ask for what no form can have' })
  async nest(context: RequestContext): Promise<string> {
    return JSON.stringify(await context.elicit('nested', 'What?', Nested));
  }

  @Tool({ description: 'Catch everything and go on' })
  async careless(context: RequestContext): Promise<string> {
    const name = await context.elicit('name', 'Who are you?', Person).catch(() => undefined);
    const again = await context.elicit('again', 'Really?', Consent).catch(() => undefined);
    return JSON.stringify([name, again]);
  }

  @Tool({ description: 'Ask the same question twice' })
  async sameKey(context: RequestContext): Promise<string> {
    await context.elicit('name', 'Who are you?', Person);
    await context.elicit('name', 'Who are you really?', Person);
    return 'asked twice';
  }

  @Tool({ description: 'Ask without awaiting the answer' })
  forgetful(context: RequestContext): string {
    void context.elicit('name', 'Who are you?', Person);
    void context.roots();
    return 'not asked';
  }

  @Prompt({ description: 'Ask the user for a name and return a greeting' })
  async greet(context: RequestContext): Promise<string> {
    const person = await context.elicit('name', 'Who are you?', Person);
    return person.action === 'accept' ? `Greet ${person.content.name}` : 'Return a greeting without a name';
  }

  @Tool({ description: 'Return the effects and the state of the lock' })
  state(): { readonly effects: readonly string[]; readonly held: boolean } {
    return { effects: this.#effects, held: this.#lock.held };
  }
}
