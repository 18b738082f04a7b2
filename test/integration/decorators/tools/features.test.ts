import { Complete, Feature, McpServer, Prompt, Resource, Tool } from '@org/mcp-decorators';
import { connect, ERAS, surface } from '@org/mcp-testing';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

class Word {
  @IsString() word!: string;
}

class Words {
  readonly #word: string;
  constructor(word: string) {
    this.#word = word;
  }

  @Tool({ description: 'Say the word' }) say(): string {
    return this.#word;
  }
}

class Search {
  @Feature() readonly words: Words = new Words('inner');

  @Tool({ description: 'Find a word' }) find({ word }: Word): string {
    return `found ${word}`;
  }
  @Resource({ uriTemplate: 'found://{word}' }) found({ word }: Word): string {
    return `read ${word}`;
  }
  @Prompt({ description: 'Ask for a word' }) ask({ word }: Word): string {
    return `asked for ${word}`;
  }
  @Complete({ prompt: 'ask', argument: 'word' }) candidates(): readonly string[] {
    return ['here'];
  }
}

class DeepSearch extends Search {
  override find(input: Word): string {
    return `${super.find(input)} deeply`;
  }
  @Tool({ description: 'Dig' }) dig(): string {
    return 'dug';
  }
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Feature() readonly search: Search = new Search();
}

class DeepNotes extends Notes {
  override readonly search: DeepSearch = new DeepSearch();
}

describe.each(ERAS)('a feature, in the %s era,', (era) => {
  it('is called on its own object: tool, resource, prompt and completion', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.text('find', { word: 'it' })).toBe('found it');
    expect(await session.client.readResource({ uri: 'found://it' })).toMatchObject({ contents: [{ text: 'read it' }] });
    expect(await session.client.getPrompt({ name: 'ask', arguments: { word: 'it' } })).toMatchObject({
      messages: [{ content: { text: 'asked for it' } }],
    });
    const ref = { type: 'ref/prompt', name: 'ask' } as const;
    expect(await session.client.complete({ ref, argument: { name: 'word', value: '' } })).toMatchObject({
      completion: { values: ['here'] },
    });
  });

  it('has its nested features and its private fields', async () => {
    await using session = await connect(new Notes(), { era });
    expect(await session.text('say')).toBe('inner');
  });

  it('can be replaced by another object in a subclass', async () => {
    await using session = await connect(new DeepNotes(), { era });
    expect(await session.toolNames()).toEqual(['find', 'dig', 'say']);
    expect(await session.text('find', { word: 'it' })).toBe('found it deeply');
    expect(await session.text('dig')).toBe('dug');
  });
});

describe('the surface of a server with features', () => {
  it('is derived from the declared classes, or from the objects in an instance', () => {
    const names = [DeepNotes, new DeepNotes()].map((server) => surface(server).tools.map(({ name }) => name));
    expect(names).toEqual([
      ['find', 'say'],
      ['find', 'dig', 'say'],
    ]);
  });
});
