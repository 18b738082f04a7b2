import { Field, McpServer, RequestContext, Resource, Subscriptions, Tool, type ResourceWatcher } from '@org/mcp-decorators';
import { IsInt, IsString } from 'class-validator';

import { Inbox } from '../inbox.ts';
import { deferred, type Deferred } from '../recorders.ts';

class Words {
  @IsString() text!: string;
}

class Times {
  @IsInt() times!: number;
}

class Person {
  @Field('Your name') @IsString() name!: string;
}

/** A running call of the tool `wait` of a {@link Station}. `name` is the argument `text` of the call. */
export interface StationCall {
  readonly name: string;
  readonly context: RequestContext;
  /** Resolves when the call is aborted. */
  readonly aborted: Promise<void>;
  /** Ends the call with this result. */
  readonly end: (text: string) => void;
}

/** A server that a test controls; it records its calls and watchers. */
@McpServer({ name: 'station', version: '1.0.0' })
export class Station implements ResourceWatcher {
  /** Calls of `wait`, in order of arrival. */
  readonly calls: Inbox<StationCall> = new Inbox();
  /** Started watchers, in order. */
  readonly started: Inbox<string> = new Inbox();
  /** Stopped watchers, in order. */
  readonly stopped: Inbox<string> = new Inbox();
  readonly #watched = new Map<string, () => void>();
  #starting: Deferred<void> | undefined;

  /** URIs that are watched. */
  get watched(): readonly string[] {
    return [...this.#watched.keys()];
  }

  /** The number of subscribed URIs. */
  get subscriptions(): number {
    return Subscriptions.of(this)?.size ?? 0;
  }

  @Tool({ description: 'Say it again' })
  say({ text }: Words): string {
    return text;
  }

  @Tool({ description: 'Wait for the test', input: Words })
  wait({ text: name }: Words, context: RequestContext): Promise<string> {
    const result = deferred<string>();
    const aborted = deferred();
    context.signal.addEventListener('abort', () => aborted.resolve(), { once: true });
    this.calls.add({ name, context, aborted: aborted.promise, end: result.resolve });
    return result.promise;
  }

  @Tool({ description: 'Log and report, then end' })
  report({ times }: Times, context: RequestContext): string {
    for (let time = 1; time <= times; time += 1) {
      context.log.info(`${time} of ${times}`);
      context.progress(time, times);
    }
    return 'reported';
  }

  @Tool({ description: 'Ask who it is' })
  async ask(context: RequestContext): Promise<string> {
    const answer = await context.elicit('name', 'Who are you?', Person);
    return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
  }

  @Tool({ description: 'Ask the model' })
  async model(context: RequestContext): Promise<string> {
    const message = { role: 'user' as const, content: { type: 'text' as const, text: 'Hello' } };
    const { content } = await context.sample('hello', { messages: [message], maxTokens: 10 });
    return content.type === 'text' ? content.text : content.type;
  }

  @Tool({ description: 'Ask for the roots' })
  async roots(context: RequestContext): Promise<string> {
    return JSON.stringify(await context.roots());
  }

  @Tool({ description: 'Return the caller' })
  caller(context: RequestContext): string {
    return JSON.stringify({ client: context.auth?.clientId, session: context.sessionId });
  }

  @Resource({ uri: 'station://a' })
  a(): string {
    return 'a';
  }

  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    if (!uri.startsWith('station://')) return undefined;
    this.#watched.set(uri, updated);
    this.started.add(uri);
    await this.#starting?.promise;
    return {
      [Symbol.asyncDispose]: () => {
        this.#watched.delete(uri);
        this.stopped.add(uri);
        return Promise.resolve();
      },
    };
  }

  /** Delays the start of watchers until the returned function is called. */
  holdWatchers(): () => void {
    const starting = deferred();
    this.#starting = starting;
    return () => starting.resolve();
  }

  /** Reports a change of a resource to its watcher, if there is one. */
  change(uri: string): void {
    this.#watched.get(uri)?.();
  }
}
