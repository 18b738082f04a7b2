import { Disabled, Feature, McpServer, RequestContext, Tool, ToolError, type InterceptedCall } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsDefined, MaxLength } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { NoteName, NotesServer, NoteStats, ReadNoteInput } from './notes.ts';

class ShortInput extends ReadNoteInput {
  @MaxLength(20) declare name: string; // still a string with its description
  @IsDefined() declare limit: number; // required now
}

class Search {
  @Tool({ description: 'Search the notes' }) searchNotes({ name }: NoteName): string {
    return `found ${name}`;
  }
}

@McpServer({ name: 'acme-notes', tools: { search_notes: { title: 'Search' } }, prompts: { review: false } })
class AcmeNotes extends NotesServer {
  @Feature() readonly search: Search = new Search();
  readonly audit: string[] = [];

  @Tool({ input: ShortInput, annotations: { idempotentHint: true } }) // keeps its name, description and other hints
  override readNote(input: ShortInput): string {
    return super.readNote(input);
  }

  override text(input: NoteName): string {
    return `${super.text(input)} (ACME)`; // no decorator: it stays the same resource
  }

  @Disabled() override noteStats(input: NoteName, context: RequestContext): NoteStats {
    return super.noteStats(input, context);
  }

  async intercept({ kind, name, context }: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    if (this.audit.length === 3) throw new ToolError('AUDIT_FULL', 'nothing more is recorded');
    this.audit.push(`${kind} ${name} by ${context.client.name}`);
    return next();
  }
}

class LoudSearch extends Search {
  override searchNotes(input: NoteName): string {
    return super.searchNotes(input).toUpperCase();
  }
}

@McpServer({ prompts: { review: true } })
class RestoredNotes extends AcmeNotes {
  override readonly search: LoudSearch = new LoudSearch();

  @Tool({}) override noteStats(input: NoteName, context: RequestContext): NoteStats {
    return super.noteStats(input, context);
  }
}

describe.each(ERAS)('the subclass in the guide, in the %s era,', (era) => {
  it('lists inherited tools first, then the tools of its features, without the removed tools', async () => {
    await using parent = await connect(new NotesServer(), { era });
    await using session = await connect(new AcmeNotes(), { era });
    expect(await parent.toolNames()).toEqual(['read_note', 'note_stats']);
    expect(await session.toolNames()).toEqual(['read_note', 'search_notes']);
    expect(session.client.getServerCapabilities()?.prompts).toBeUndefined();
    expect(session.client.getServerVersion()).toMatchObject({ name: 'acme-notes', version: '1.0.0' });
    expect(session.client.getInstructions()).toBe('Read and review notes.');
  });

  it('keeps everything that it does not change', async () => {
    await using session = await connect(new AcmeNotes(), { era });
    const [readNote, searchNotes] = (await session.client.listTools()).tools;
    expect(readNote).toMatchObject({
      description: 'Read a note',
      annotations: { readOnlyHint: true, idempotentHint: true },
      inputSchema: {
        required: ['name', 'limit'],
        properties: { name: { description: 'Name of the note', maxLength: 20 }, limit: { type: 'integer', minimum: 1 } },
      },
    });
    expect(searchNotes).toMatchObject({ title: 'Search', description: 'Search the notes' });
    expect((await session.client.readResource({ uri: 'notes://text/today' })).contents).toMatchObject([
      { text: 'water the plants (ACME)', mimeType: 'text/plain' },
    ]);
  });

  it('intercepts its own calls and the calls of its features, and may reject them', async () => {
    const server = new AcmeNotes();
    await using session = await connect(server, { era });
    await session.call('read_note', { name: 'today', limit: 1 });
    await session.call('search_notes', { name: 'today' });
    await session.client.readResource({ uri: 'notes://text/today' });
    expect(await session.fails('search_notes', { name: 'today' })).toBe('AUDIT_FULL: nothing more is recorded');
    expect(server.audit).toEqual(
      ['tool read_note', 'tool search_notes', 'resource text'].map((call) => `${call} by @org/mcp-testing`),
    );
  });

  it('can be changed by a further subclass, which restores removed members', async () => {
    await using session = await connect(new RestoredNotes(), { era });
    expect(await session.toolNames()).toEqual(['read_note', 'note_stats', 'search_notes']);
    expect(await session.text('search_notes', { name: 'today' })).toBe('FOUND TODAY');
    expect((await session.client.listPrompts()).prompts).toMatchObject([{ name: 'review' }]);
  });
});
