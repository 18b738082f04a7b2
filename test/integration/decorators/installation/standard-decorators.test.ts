import { fileURLToPath } from 'node:url';

import { runProgram } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

const FIXTURES = fileURLToPath(new URL('fixtures/standard-decorators/', import.meta.url));
const TSX = fileURLToPath(import.meta.resolve('tsx/cli'));

describe('a program that a compiler built with standard decorators', () => {
  it.each([
    ['composite-field', 'path: @Text'],
    ['plain-field', 'path: @Field'],
    ['tool', 'readNote: @Tool'],
    ['server', 'Notes: @McpServer'],
  ])('ends with the member and the remedy: %s', async (program, decorator) => {
    const { code, stderr } = await runProgram({ command: process.execPath, args: [TSX, `${program}.ts`], cwd: FIXTURES });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${decorator} runs as a standard (TC39) decorator, which is not supported; compile with "experimentalDecorators": true.`,
    );
  });
});
