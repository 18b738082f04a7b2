import { Integer, McpServer, Prompt, RequestContext, Resource, Text, Tool, ToolError } from '@org/mcp-decorators';

export class NoteName {
  @Text('Name of the note') name!: string;
}

export class ReadNoteInput extends NoteName {
  @Integer('Maximum number of lines', { min: 1, optional: true }) limit?: number;
}

export class NoteStats {
  @Integer() words!: number;
}

@McpServer({ name: 'notes', version: '1.0.0', instructions: 'Read and review notes.' })
export class NotesServer {
  readonly #notes = new Map([['today', 'water the plants']]);

  @Tool({ description: 'Read a note', annotations: { readOnlyHint: true } })
  readNote({ name, limit }: ReadNoteInput): string {
    return this.#note(name).split('\n').slice(0, limit).join('\n'); // the tool is called read_note
  }

  @Tool({ description: 'Count the words of a note', output: NoteStats, annotations: { readOnlyHint: true } })
  noteStats({ name }: NoteName, context: RequestContext): NoteStats {
    context.log.info('counting', { name });
    return { words: this.#note(name).split(/\s+/).length }; // structured content, and its JSON as text
  }

  @Resource({ uriTemplate: 'notes://text/{name}', mimeType: 'text/plain' })
  text({ name }: NoteName): string {
    return this.#note(name);
  }

  @Prompt({ description: 'Review a note' })
  review({ name }: NoteName): string {
    return `Review this note:\n\n${this.#note(name)}`;
  }

  #note(name: string): string {
    const note = this.#notes.get(name);
    if (note === undefined) throw new ToolError('NOT_FOUND', `no note has the name "${name}"`);
    return note;
  }
}
