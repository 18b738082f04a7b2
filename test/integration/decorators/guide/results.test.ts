import { Field, McpServer, Result, Text, Tool, ToolError } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { IsNumber } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { errorListener } from '../../support/recorders.ts';

class City {
  @Text('A city') city!: string;
}

class Weather {
  @Field('Degrees Celsius') @IsNumber() temperature!: number;
  @Text('State of the sky, in one word') sky!: string;
}

@McpServer({ name: 'weather', version: '1.0.0' })
class WeatherServer {
  readonly #measured = { temperature: 21, sky: 'clear', station: 'roof' };

  @Tool({ description: 'The weather now', output: Weather })
  now(): Weather {
    return this.#measured; // structured content and its JSON as text, without the station
  }

  @Tool({ description: 'The weather in words', output: Weather })
  inWords(): Result {
    return Result.of(this.#measured, 'Clear, 21 °C');
  }

  @Tool({ description: 'The log of the station' })
  log(): Result {
    return Result.text('12:00 21\n13:00 22', { note: 'older lines were left out', facts: { lines: 2 } });
  }

  @Tool({ description: 'The weather tomorrow' })
  async forecast({ city }: City): Promise<string> {
    if (city === 'Atlantis') throw new ToolError('NOT_FOUND', `no city "${city}"`, { hint: 'name one on land', data: { city } });
    throw new Error(`cannot connect to https://user:secret@example.com/${city}`); // the client receives an internal error
  }
}

class RawWeather extends WeatherServer {
  @Tool({ description: 'A picture, and where there are more' }) pictures(): readonly object[] {
    const link = { type: 'resource_link', uri: 'weather://pictures', name: 'pictures' };
    return [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }, link];
  }
  @Tool({ description: 'A result as the protocol has it' }) raw(): object {
    return { content: [{ type: 'text', text: 'as it is' }], _meta: { station: 'roof' } };
  }
  @Tool({ description: 'An object without an output class' }) plain(): object {
    return { any: 'thing' };
  }
}

describe.each(ERAS)('the results in the guide, in the %s era,', (era) => {
  it('contain only the declared properties, and a text', async () => {
    await using session = await connect(new WeatherServer(), { era });
    const structuredContent = { temperature: 21, sky: 'clear' };
    expect(await session.call('now')).toMatchObject({
      structuredContent,
      content: [{ text: JSON.stringify(structuredContent) }],
    });
    const told = await session.call('in_words');
    expect(told.structuredContent).toEqual(structuredContent);
    expect(told.content).toEqual([{ type: 'text', text: 'Clear, 21 °C' }]);
  });

  it('may be bodies with facts, content blocks and full results', async () => {
    await using session = await connect(new RawWeather(), { era });
    expect(await session.call('log')).toMatchObject({
      content: [{ text: '12:00 21\n13:00 22\n[older lines were left out]' }],
      _meta: { lines: 2 },
    });
    expect((await session.call('pictures')).content).toMatchObject([{ type: 'image' }, { type: 'resource_link' }]);
    expect(await session.call('raw')).toMatchObject({ content: [{ text: 'as it is' }], _meta: { station: 'roof' } });
    const plain = await session.call('plain');
    expect(plain).toMatchObject({ content: [{ text: '{"any":"thing"}' }] });
    expect(plain.structuredContent).toBeUndefined();
  });
});

describe.each(ERAS)('the errors in the guide, in the %s era,', (era) => {
  it('are sent to the client if they are a ToolError, and hidden otherwise', async () => {
    const onError = errorListener();
    await using session = await connect(new WeatherServer(), { era, onError });
    const result = await session.client.callTool({ name: 'forecast', arguments: { city: 'Atlantis' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'NOT_FOUND: no city "Atlantis"\nname one on land' }],
      _meta: { error: { code: 'NOT_FOUND', data: { city: 'Atlantis' } } },
    });
    expect(await session.fails('forecast', { city: 'Rome' })).toBe('INTERNAL: forecast failed because of an internal error');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      new Error('cannot connect to https://user:secret@example.com/Rome'),
      'WeatherServer.forecast',
    );
  });
});
