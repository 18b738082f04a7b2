import { RequestContext, Tool, type Result } from '@org/mcp-decorators';

import { WriteFileInput, writeFile, WrittenFile } from './operations/write-file.ts';
import { writtenResult } from './writing-results.ts';
import { FindingTools } from './finding-tools.ts';

/** Tools that change something. */
export abstract class WritingTools extends FindingTools {
  @Tool({
    title: 'Write file',
    description: 'Create a file or replace its whole content; the change is atomic',
    output: WrittenFile,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  async writeFile(input: WriteFileInput, context: RequestContext): Promise<Result> {
    return writtenResult(await writeFile(await this.filesFor(context), input));
  }
}
