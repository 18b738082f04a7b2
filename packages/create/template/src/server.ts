import { Integer, McpServer, Prompt, Resource, Text, TextList, Tool, ToolError } from '@org/mcp-decorators';
import { ArrayUnique } from 'class-validator';

export class NoteName {
  @Text('Name of the note') name!: string;
}

export class CountWordsInput extends NoteName {
  @TextList('Words to ignore', { maxItems: 50 }) @ArrayUnique() ignored: string[] = [];
}

export class WordCount {
  @Integer('Number of words') words!: number;
}

@McpServer({ name: 'template-server', version: '0.1.0', instructions: 'Read and review notes.' })
export class TemplateServer {
  readonly #notes: ReadonlyMap<string, string> = new Map([['today', 'water the plants and the lawn']]);

  @Tool({
    description: 'Count the words of a note',
    output: WordCount,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  countWords({ name, ignored }: CountWordsInput): WordCount {
    const words = this.#findNote(name).split(/\s+/);
    return { words: words.filter((word) => !ignored.includes(word)).length };
  }

  @Resource({ uriTemplate: 'notes://text/{name}', description: 'Text of a note', mimeType: 'text/plain' })
  noteText({ name }: NoteName): string {
    return this.#findNote(name);
  }

  @Prompt({ description: 'Review a note' })
  reviewNote({ name }: NoteName): string {
    return `Review this note:\n\n${this.#findNote(name)}`;
  }

  #findNote(name: string): string {
    const note = this.#notes.get(name);
    if (note === undefined) throw new ToolError('NOT_FOUND', `no note has the name "${name}"`);
    return note;
  }
}
