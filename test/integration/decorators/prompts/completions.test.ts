import { Complete, type Candidates, Field, McpServer, Prompt, Resource, ToolError } from '@org/mcp-decorators';
import { connect, ERAS, type Session } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it, vi } from 'vitest';

class Blob {
  @Field('Repository') @IsString() repo!: string;
  @Field('Revision') @IsString() rev!: string;
}

class ReviewArguments {
  @Field('Tone') @IsString() tone!: string;
}

@McpServer({ name: 'completing', version: '1.0.0' })
class Completing {
  @Resource({ uriTemplate: 'x://{repo}/{rev}' }) blob({ repo, rev }: Blob): string {
    return `${repo} ${rev}`;
  }

  @Prompt({ description: 'Review' }) review({ tone }: ReviewArguments): string {
    return tone;
  }

  @Complete({ resource: 'x://{repo}/{rev}', argument: 'rev' })
  revisions(value: string, given: Readonly<Record<string, string>>): Candidates {
    if (given['repo'] === 'huge') return { values: ['main', 'other'], hasMore: true };
    if (value === 'bad') throw new ToolError('NOT_FOUND', 'there is nothing like it');
    if (value === 'rootless') throw new ToolError('ROOTS_REQUIRED', 'no directory is allowed');
    if (value === 'broken') throw new Error('hunter2');
    return given['repo'] === 'many'
      ? Array.from({ length: 150 }, (_, number) => `v${number}`)
      : ['main', 'release/main', 'domain', 'other'];
  }

  @Complete({ prompt: 'review', argument: 'tone' })
  async tones(): Promise<readonly string[]> {
    return ['kind', 'strict'];
  }
}

async function completed(session: Session, value: string, given: Record<string, string> = {}): Promise<unknown> {
  const ref = { type: 'ref/resource', uri: 'x://{repo}/{rev}' } as const;
  const { completion } = await session.client.complete({ ref, argument: { name: 'rev', value }, context: { arguments: given } });
  return completion;
}

describe.each(ERAS)('completion, in the %s era,', (era) => {
  it('ranks values that begin with the text first, then values with such a word, then other matches', async () => {
    await using session = await connect(new Completing(), { era });
    expect(await completed(session, 'MAIN')).toEqual({ values: ['main', 'release/main', 'domain'], total: 3, hasMore: false });
  });

  it('offers all values, at most 100, if the text is empty', async () => {
    await using session = await connect(new Completing(), { era });
    expect(await completed(session, '')).toMatchObject({ total: 4 });
    expect(await completed(session, '', { repo: 'many' })).toMatchObject({ values: { length: 100 }, total: 150, hasMore: true });
  });

  it('reports more values if the list was incomplete', async () => {
    await using session = await connect(new Completing(), { era });
    expect(await completed(session, 'ma', { repo: 'huge' })).toEqual({ values: ['main'], hasMore: true });
  });

  it('offers no values if no access is allowed', async () => {
    await using session = await connect(new Completing(), { era });
    expect(await completed(session, 'rootless')).toEqual({ values: [], total: 0, hasMore: false });
  });

  it("completes a prompt's argument", async () => {
    await using session = await connect(new Completing(), { era });
    const { completion } = await session.client.complete({
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'tone', value: 's' },
    });
    expect(completion.values).toEqual(['strict']);
  });

  it('offers nothing for an argument that nothing completes', async () => {
    await using session = await connect(new Completing(), { era });
    const ref = { type: 'ref/resource', uri: 'x://{repo}/{rev}' } as const;
    const { completion } = await session.client.complete({ ref, argument: { name: 'repo', value: '' } });
    expect(completion).toEqual({ values: [], total: 0, hasMore: false });
  });

  it('rejects an unknown reference, and hides the reason for a failure', async () => {
    const onError = vi.fn<(error: unknown, place: string) => void>();
    await using session = await connect(new Completing(), { era, onError });
    const unknown = session.client.complete({ ref: { type: 'ref/prompt', name: 'nope' }, argument: { name: 'x', value: '' } });
    await expect(unknown).rejects.toMatchObject({ code: -32_602 });
    await expect(completed(session, 'bad')).rejects.toThrow('NOT_FOUND: there is nothing like it');
    await expect(completed(session, 'broken')).rejects.toThrow('completion failed because of an internal error');
    expect(onError.mock.calls).toEqual([[new Error('hunter2'), 'Completing.revisions']]);
  });
});
