import {
  McpServer,
  type RequestContext,
  Resource,
  type Result,
  Suspension,
  TextList,
  Tool,
  ToolError,
  type InterceptedCall,
  type Intercepting,
} from '@org/mcp-decorators';
import { FilesystemServer, PathInput, WriteFileInput } from '@org/mcp-fs';

import { HandbookOptions } from './handbook-options.js';

const AUDIT = 'audit://calls';

export class Outline {
  @TextList('Headings in the order of the file, with their marks: "## Offices"') headings!: string[];
}

/**
 * Serves a handbook of Markdown files. `delete_file` is removed, and `write_file` requires a title in Markdown files, unless
 * the option `requireTitle` is off.
 */
@McpServer({ name: 'handbook', version: '1.0.0', tools: { delete_file: false } })
export class HandbookServer extends FilesystemServer implements Intercepting {
  declare protected readonly options: HandbookOptions;
  readonly #calls: string[] = [];
  readonly #listeners = new Set<() => void>();

  @Tool({
    description: 'List the headings of a Markdown file',
    output: Outline,
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async outline({ path }: PathInput, context: RequestContext): Promise<Outline> {
    const { roots } = await this.filesFor(context);
    await using file = await roots.openFile(path);
    const bytes = await file.readAt(0, file.size);
    const lines = new TextDecoder().decode(bytes).split('\n');
    return { headings: lines.filter((line) => /^#{1,6} /.test(line)) };
  }

  // Without a decorator, the tool keeps its name, description, schema and annotations.
  override async writeFile(input: WriteFileInput, context: RequestContext): Promise<Result> {
    if (this.options.requireTitle && input.path.endsWith('.md') && !input.content.startsWith('# '))
      throw new ToolError('INVALID_ARGUMENTS', `${input.path} would have no title`, { hint: 'begin the content with "# "' });
    return super.writeFile(input, context);
  }

  @Resource({ uri: AUDIT, description: 'The tool calls so far, with their outcomes', mimeType: 'text/plain' })
  audit(): string {
    return this.#calls.join('\n');
  }

  /** Lets clients subscribe to the audit, in addition to the files and directories of the base class. */
  override async watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    if (uri !== AUDIT) return super.watch(uri, updated);
    this.#listeners.add(updated);
    return { [Symbol.asyncDispose]: async () => void this.#listeners.delete(updated) };
  }

  /** Records every call of a tool whose arguments are valid, once. Errors of the call pass through unchanged. */
  async intercept({ kind, name }: InterceptedCall, next: () => Promise<unknown>): Promise<unknown> {
    if (kind !== 'tool') return next();
    try {
      const result = await next();
      this.#record(`${name}: succeeded`);
      return result;
    } catch (error) {
      // A call that waits for the client runs again with the answer.
      if (!Suspension.is(error)) this.#record(`${name}: ${ToolError.is(error) ? error.code : 'failed'}`);
      throw error;
    }
  }

  #record(line: string): void {
    this.#calls.push(line);
    for (const updated of this.#listeners) updated();
  }
}
