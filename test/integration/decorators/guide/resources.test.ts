import {
  Complete,
  Field,
  McpServer,
  Prompt,
  RequestContext,
  Resource,
  Tool,
  ToolError,
  type ResourceWatcher,
} from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsInt, IsOptional } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { deferred } from '../../support/recorders.ts';
import { NoteName } from './notes.ts';

class ReviewArguments extends NoteName {
  @Field('In how many words') @IsOptional() @IsInt() words?: number;
}

@McpServer({ name: 'notebook', version: '1.0.0', cache: { ttlMs: 60_000 } })
class NotebookServer implements ResourceWatcher {
  readonly notes = new Map([['today', 'water the plants']]);
  readonly listeners = new Set<() => void>();

  @Resource({ uri: 'notes://index', cache: { ttlMs: 5000 } })
  index(): readonly string[] {
    return [...this.notes.keys()];
  }

  @Resource({ uriTemplate: 'notes://text/{name}', mimeType: 'text/markdown', annotations: { priority: 1 } })
  text({ name }: NoteName): string {
    if (!this.notes.has(name)) throw new ToolError('NOT_FOUND', `no note has the name "${name}"`);
    return this.notes.get(name) ?? '';
  }

  @Complete({ resource: 'notes://text/{name}', argument: 'name' })
  @Complete({ prompt: 'review', argument: 'name' })
  names(): readonly string[] {
    return [...this.notes.keys()];
  }

  @Prompt({ description: 'Review a note' })
  review({ name, words }: ReviewArguments): readonly object[] {
    return [
      { role: 'user', content: { type: 'text', text: `Review this in ${words ?? 100} words:` } },
      { role: 'user', content: { type: 'resource_link', uri: `notes://text/${name}`, name } },
    ];
  }

  async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    if (uri !== 'notes://index') return undefined; // clients cannot subscribe to this URI
    this.listeners.add(updated);
    return { [Symbol.asyncDispose]: async () => void this.listeners.delete(updated) };
  }
}

class ChangingNotebook extends NotebookServer {
  @Tool({ description: 'Write a note' })
  writeNote({ name }: NoteName, context: RequestContext): void {
    this.notes.set(name, 'new');
    context.listChanged('resources');
    context.resourceUpdated('notes://index');
  }
}

describe.each(ERAS)('the resources in the guide, in the %s era,', (era) => {
  it('can be read and completed', async () => {
    await using session = await connect(new NotebookServer(), { era });
    const read = async (uri: string): Promise<unknown> => (await session.client.readResource({ uri })).contents;
    expect(await read('notes://index')).toMatchObject([{ text: '["today"]', mimeType: 'application/json' }]);
    expect(await read('notes://text/today')).toMatchObject([{ text: 'water the plants', mimeType: 'text/markdown' }]);
    await expect(read('notes://text/never')).rejects.toThrow('no note has the name "never"');
    const argument = { name: 'name', value: 'to' };
    const refs = [
      { type: 'ref/prompt', name: 'review' },
      { type: 'ref/resource', uri: 'notes://text/{name}' },
    ] as const;
    for (const ref of refs)
      expect((await session.client.complete({ ref, argument })).completion).toMatchObject({ values: ['today'], total: 1 });
  });

  it('notify subscribers when they or their list change', async () => {
    await using session = await connect(new ChangingNotebook(), { era });
    const heard = deferred();
    session.client.setNotificationHandler('notifications/resources/list_changed', () => heard.resolve());
    if (era === 'modern') await session.client.listen({ resourcesListChanged: true });
    await using updates = await session.subscribe('notes://index');
    await expect(session.subscribe('notes://text/today')).rejects.toThrow();
    await session.call('write_note', { name: 'tomorrow' });
    await Promise.all([updates.next(), heard.promise]);
  });

  it('are served together with prompts, whose arguments are parsed', async () => {
    await using session = await connect(new NotebookServer(), { era });
    const { messages } = await session.client.getPrompt({ name: 'review', arguments: { name: 'today', words: '5' } });
    expect(messages).toMatchObject([{ content: { text: 'Review this in 5 words:' } }, { content: { type: 'resource_link' } }]);
    const unparsed = session.client.getPrompt({ name: 'review', arguments: { name: 'today', words: 'few' } });
    await expect(unparsed).rejects.toThrow('words: expected an integer, got "few"');
  });
});
