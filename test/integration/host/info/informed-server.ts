import { Field, McpServer, Tool, ToolError } from '@org/mcp-decorators';
import { ServerOptions, type Diagnosis, type ServerObject } from '@org/mcp-host';
import { IsInt, IsOptional, IsString } from 'class-validator';

export class InformedOptions extends ServerOptions {
  @Field('Most notes', { title: 'N' })
  @IsInt()
  maxNotes = 10;

  @Field('Directory of the notes', { title: 'URL', format: 'password' })
  @IsOptional()
  @IsString()
  url?: string;
}

/** A server with a diagnosis, limits and a secret. */
@McpServer({ name: 'informed', version: '1.2.3' })
export class InformedServer implements ServerObject {
  readonly #options: InformedOptions;

  constructor(options: InformedOptions) {
    this.#options = options;
  }

  open(): void {
    process.stderr.write('open\n');
  }

  diagnose(): readonly Diagnosis[] {
    return [{ subject: 'notes', ok: false, detail: `cannot reach ${this.#options.url ?? 'them'}` }];
  }

  @Tool({ description: 'Read a note', maxConcurrent: 2 })
  read(): string {
    return 'a note';
  }

  @Tool({ description: 'Lose a note' })
  lose(): never {
    throw new ToolError('NOT_FOUND', 'there is no such note');
  }

  @Tool({ description: 'Never end' })
  hang(): Promise<never> {
    return new Promise(() => undefined);
  }
}
