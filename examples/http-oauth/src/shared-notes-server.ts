import { McpServer, RequestContext, Resource, type ResourceWatcher, Text, Tool, ToolError } from '@org/mcp-decorators';

const NOTES = 'notes://all';

export class NoteInput {
  @Text('Text of the note', { minLength: 1, maxLength: 1000 }) text!: string;
}

/**
 * Notes of a team. Each process keeps its own notes, because the example shows the transport. A real server would store the notes
 * in a database that all processes share.
 */
@McpServer({ name: 'shared-notes', version: '1.0.0' })
export class SharedNotesServer implements ResourceWatcher {
  readonly #notes: string[] = [];

  @Tool({ description: 'Return the process that answers', annotations: { readOnlyHint: true } })
  process(): string {
    return String(process.pid);
  }

  @Tool({ description: 'Add a note' })
  addNote({ text }: NoteInput, context: RequestContext): string {
    this.#notes.push(text);
    // With a bus, the clients of all processes are notified.
    context.resourceUpdated(NOTES);
    return `${this.#notes.length} notes`;
  }

  @Tool({ description: 'Delete all notes', scopes: ['write', 'admin'], annotations: { destructiveHint: true } })
  clearNotes(context: RequestContext): string {
    if (this.#notes.length === 0) throw new ToolError('NOT_FOUND', 'there are no notes');
    this.#notes.length = 0;
    context.resourceUpdated(NOTES);
    return 'deleted';
  }

  @Resource({ uri: NOTES, description: 'The notes of this process', mimeType: 'text/plain' })
  notes(): string {
    return this.#notes.join('\n');
  }

  /** Lets clients subscribe to the notes. Starts no watcher, because only tools change the notes, and the tools notify clients. */
  async watch(uri: string): Promise<AsyncDisposable | undefined> {
    return uri === NOTES ? { async [Symbol.asyncDispose]() {} } : undefined;
  }
}
