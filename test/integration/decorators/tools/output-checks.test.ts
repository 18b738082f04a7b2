import { McpServer, Result, Tool, ListOf, Integer, Text } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { errorListener } from '../../support/recorders.ts';

class Line {
  @Text('Text of the line', { maxLength: 5 }) text!: string;
}

class Stats {
  @Integer('Number of words', { min: 0 }) words!: number;
  @ListOf(() => Line, 'First lines', { optional: true }) lines?: Line[];
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Return another type', output: Stats })
  wrongType(): Stats {
    return JSON.parse('{ "words": "three" }');
  }

  @Tool({ description: 'Break a rule of a nested class', output: Stats })
  brokenRule(): Stats {
    return { words: 1, lines: [{ text: 'a' }, { text: 'too long' }] };
  }

  @Tool({ description: 'Omit a required property', output: Stats })
  absent(): Result {
    return Result.of({ secret: 'hunter2' }, 'no words');
  }

  @Tool({ description: 'Return a fitting structure', output: Stats })
  fitting(): Stats {
    return { words: 1, lines: [{ text: 'a' }] };
  }
}

describe.each(ERAS)('a result that breaks the output class of its tool, in the %s era,', (era) => {
  it.each([
    ['wrong_type', 'wrongType', 'words: expected an integer, got a string'],
    ['broken_rule', 'brokenRule', 'lines.1.text: must be shorter than or equal to 5 characters'],
    ['absent', 'absent', 'words: is required'],
  ])('is an internal error, and onError gets tool, path and rule: %s', async (name, method, issue) => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError });
    expect(await session.fails(name)).toBe(`INTERNAL: ${name} failed because of an internal error`);
    const expected = new TypeError(`the result of the tool "${name}" breaks its output class\n${issue}`);
    expect(onError.mock.calls).toEqual([[expected, `Notes.${method}`]]);
  });

  it('is an internal error also for a host that gets only the text', async () => {
    const onError = errorListener();
    await using session = await connect(new Notes(), { era, onError, structured: 'never' });
    expect(await session.fails('absent')).toBe('INTERNAL: absent failed because of an internal error');
    expect(onError).toHaveBeenCalledOnce();
  });

  it('does not affect other results', async () => {
    await using session = await connect(new Notes(), { era });
    const { structuredContent } = await session.call('fitting');
    expect(structuredContent).toEqual({ words: 1, lines: [{ text: 'a' }] });
  });
});
