import { McpServer, Prompt, Resource, Tool, ToolError } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

const HINT = 'use move_commit, sort or list_commits';

@McpServer({ name: 'commits', version: '1.0.0' })
class Commits {
  @Tool({ description: 'List commits' })
  listCommits(): never {
    throw new ToolError('CONFLICT', 'a move_commit is in progress', { hint: HINT, data: { position: 1 } });
  }

  @Tool({ description: 'Fail without a remedy' })
  fail(): never {
    throw new ToolError('CONFLICT', 'a move_commit is in progress');
  }

  @Tool({ description: 'Move a commit', sets: ['default', 'write', 'rewrite'] })
  moveCommit(): string {
    return 'moved';
  }

  @Tool({ description: 'Sort the commits', sets: ['rewrite'] })
  sort(): string {
    return 'sorted';
  }

  @Resource({ uri: 'commits://all' })
  all(): never {
    throw new ToolError('CONFLICT', 'the commits cannot be read', { hint: HINT });
  }

  @Prompt({ description: 'Plan the commits' })
  plan(): string {
    return 'Plan, then call move_commit.';
  }
}

describe.each(ERAS)('a text that names tools, on a %s connection,', (era) => {
  it('is unchanged if the server offers the tools', async () => {
    await using session = await connect(new Commits(), { era });
    expect(await session.fails('list_commits')).toBe(`CONFLICT: a move_commit is in progress\n${HINT}`);
    const { messages } = await session.client.getPrompt({ name: 'plan' });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Plan, then call move_commit.' } }]);
  });

  it('says which of them the server does not offer', async () => {
    await using session = await connect(new Commits(), { era, disableTools: ['move_commit'] });
    const missing = 'this server does not offer move_commit (tool set write or rewrite)';
    const result = await session.client.callTool({ name: 'list_commits' });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: `CONFLICT: a move_commit is in progress\n${HINT}; ${missing}` }],
      _meta: { error: { code: 'CONFLICT', data: { position: 1 } } },
    });
    await expect(session.client.readResource({ uri: 'commits://all' })).rejects.toThrow(`${HINT}; ${missing}`);
    const { messages } = await session.client.getPrompt({ name: 'plan' });
    const text = `Plan, then call move_commit.\n\nNote: ${missing}.`;
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text } }]);
  });

  it('is unchanged if the error has no hint', async () => {
    await using session = await connect(new Commits(), { era, disableTools: ['move_commit'] });
    expect(await session.fails('fail')).toBe('CONFLICT: a move_commit is in progress');
  });
});
