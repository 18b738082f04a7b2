import { Field, McpServer, Prompt, RequestContext, Resource, Tool, ToolError } from '@org/mcp-decorators';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';

export class NoteName {
  @Field('Name of the note') @IsString() name!: string;
}

export class ReadNoteInput extends NoteName {
  @Field('Stop after this many lines') @IsOptional() @IsInt() @Min(1) limit?: number;
}

export class NoteStats {
  @IsInt() words!: number;
}

@McpServer({ name: 'notes', version: '1.0.0', instructions: 'Read and review notes.' })
export class NotesServer {
  readonly #notes = new Map([['today', 'water the plants']]);

  @Tool({ description: 'Read a note', annotations: { readOnlyHint: true } })
  readNote({ name, limit }: ReadNoteInput): string {
    return this.#note(name).split('\n').slice(0, limit).join('\n'); // the tool read_note
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
    if (note === undefined) throw new ToolError('NOT_FOUND', `there is no note "${name}"`);
    return note;
  }
}
