import { once } from 'node:events';

import type { StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { startProgram, type RunningProgram } from '@org/mcp-testing';

import type { Receiver, Wire } from './wire.ts';

/** A server process on stdio. */
export class StdioWire implements Wire {
  readonly program: RunningProgram;

  constructor(program: StdioServerParameters, receiver: Receiver) {
    this.program = startProgram(program);
    this.#read(receiver).catch(() => receiver.closed());
  }

  async write(text: string): Promise<void> {
    await this.writeBytes(Buffer.from(`${text}\n`));
  }

  /** Writes part of a line, or several lines. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    const { stdin } = this.program;
    if (!stdin.write(bytes)) await Promise.race([once(stdin, 'drain'), this.program.ended]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }

  async #read(receiver: Receiver): Promise<never> {
    for (;;) receiver.received(await this.program.stdout.next());
  }
}
