import { Field, McpServer, Prompt, RequestContext, Resource, Tool, ToolError, type ResourceWatcher } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString } from 'class-validator';

import { deferred } from '../../support/recorders.ts';

class EchoInput {
  @Field('Answered as it is') @IsString() text!: string;
}

class LargeInput {
  @Field('Characters of the answer') @IsInt() size!: number;
  @Field('Repeated to that size') @IsOptional() @IsString() character?: string;
}

const LINK = { type: 'resource_link' as const, uri: 'note://here', name: 'here', description: 'A note' };
const AUDIO = { type: 'audio' as const, data: 'AAAA', mimeType: 'audio/wav', annotations: { audience: ['user' as const] } };
const TEXT = { type: 'text' as const, text: 'known' };

/** A small server for tests of the protocol. */
@McpServer({ name: 'wire', version: '1.0.0' })
export class WireServer implements ResourceWatcher {
  #released = deferred();
  #held = 0;

  @Tool({ description: 'Answer with the text' }) echo({ text }: EchoInput): string {
    return text;
  }
  @Tool({ description: 'Wait until others release it; say how many did' }) async hold(): Promise<string> {
    this.#held += 1;
    await this.#released.promise;
    return `${this.#held} held`;
  }
  @Tool({ description: 'Release those that wait' }) release(): string {
    this.#released.resolve();
    this.#released = deferred();
    return 'released';
  }
  @Tool({ description: 'Wait until it is cancelled' }) async wait({ signal, log }: RequestContext): Promise<void> {
    log.info('waiting');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  @Tool({ description: 'Every kind of content that was added later' }) media(): unknown {
    return [TEXT, LINK, AUDIO];
  }
  @Tool({ description: 'A large answer' }) large({ size, character = 'x' }: LargeInput): string {
    return character.repeat(size);
  }
  @Tool({ description: 'Ask the user' }) async ask(context: RequestContext): Promise<string> {
    const form = { type: 'object', properties: { name: { type: 'string' } } } as const;
    const asked = await context.elicit('name', 'Who?', form);
    return asked.action;
  }
  @Tool({ description: 'Ask the model, with several blocks at once' }) async sample(context: RequestContext): Promise<string> {
    const { content } = await context.sample('it', { maxTokens: 10, messages: [{ role: 'user', content: [TEXT, AUDIO] }] });
    return content.type;
  }
  @Prompt({ description: 'Every kind of content that was added later' }) talk(): unknown {
    return { messages: [TEXT, LINK, AUDIO].map((content) => ({ role: 'user', content })) };
  }
  @Resource({ uri: 'note://here', description: 'A note' }) note(): string {
    return 'noted';
  }
  @Resource({ uri: 'note://large', description: 'A large note' }) largeNote(): string {
    return 'x'.repeat(11 * 1024 * 1024);
  }
  @Resource({ uri: 'note://gone', description: 'A note that is not there' }) gone(): never {
    throw new ToolError('NOT_FOUND', 'no such note');
  }
  @Resource({ uri: 'note://refused', description: 'A note that is not shown' }) refused(): never {
    throw new ToolError('CONFLICT', 'not now', { data: { uri: 'note://refused' } });
  }

  watch(uri: string): Promise<AsyncDisposable | undefined> {
    return Promise.resolve(uri === 'note://here' ? { [Symbol.asyncDispose]: () => Promise.resolve() } : undefined);
  }
}
