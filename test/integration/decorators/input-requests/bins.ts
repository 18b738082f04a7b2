import {
  confirm,
  confirmedResult,
  Field,
  McpServer,
  staleConfirmation,
  RequestContext,
  Result,
  Tool,
  type Preview,
} from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

class EmptyInput {
  @Field('Which') @IsString() bin!: string;
  @Field('Makes no difference') @IsOptional() @IsString() note?: string;
  @IsBoolean() dry_run = false;
  @IsOptional() @IsString() confirm_token?: string;
}

/** A server with a tool that requires confirmation. */
@McpServer({ name: 'bins', version: '1.0.0' })
export class Bins {
  files: readonly string[] = ['a', 'b\nc'];
  /** Called after the confirmation, before the tool compares the files. A test changes the files here, as another program may. */
  meanwhile: () => void = () => undefined;
  /** Returns the text at the end of the question. */
  suffix: () => string = () => '';

  @Tool({ description: 'Empty a bin' })
  async empty(input: EmptyInput, context: RequestContext): Promise<Result> {
    return confirmedResult(await this.#empty(input, context), (count) => Result.text(`${count} gone`));
  }

  async #empty(input: EmptyInput, context: RequestContext): Promise<number | Preview> {
    const state = this.files.join('/');
    const loss =
      state === ''
        ? undefined
        : { question: `Empty ${input.bin}?${this.suffix()}`, lost: this.files, facts: { count: this.files.length } };
    const preview = await confirm({ input, context, loss, state, subject: 'the bin' });
    if (preview !== undefined) return preview;
    this.meanwhile();
    if (state !== this.files.join('/')) throw staleConfirmation('the bin', { left: this.files.length });
    this.files = [];
    return loss?.lost.length ?? 0;
  }
}

export const PAPER = { bin: 'paper' };

/** The question that the user reads before deciding. */
export const QUESTION = 'Empty paper?\n- a\n- b\\u{a}c\nThis cannot be undone.';
