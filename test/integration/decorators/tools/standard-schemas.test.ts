import { McpServer, RequestContext, Result, Tool, type StandardSchema } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const CITY = z.object({
  city: z.string().min(1).describe('Name of the city'),
  days: z.int().min(1).max(7).default(3).describe('Days to forecast'),
});
const FORECAST = z.object({ city: z.string(), degrees: z.array(z.number()) });
const WORDS = toStandardJsonSchema(v.object({ words: v.array(v.string()), limit: v.optional(v.number(), 2) }));
const POINT = type({ x: 'number', y: 'number = 0' });

@McpServer({ name: 'weather', version: '1.0.0' })
class Weather {
  @Tool({ description: 'Forecast the weather', input: CITY, output: FORECAST })
  forecast({ city, days }: z.infer<typeof CITY>): z.infer<typeof FORECAST> {
    return { city, degrees: Array.from({ length: days }, (_, day) => day) };
  }

  @Tool({ description: 'Return a text with a structure', output: FORECAST })
  told(): Result {
    return Result.of({ city: 'Rome', degrees: [1], station: 'roof' }, 'Rome, 1 °C');
  }

  @Tool({ description: 'Return a wrong result', output: FORECAST })
  wrong(): Result {
    return Result.of({ city: 'Rome', degrees: ['hot'] }, 'Rome');
  }

  @Tool({ description: 'Join words', input: WORDS })
  join({ words, limit }: { readonly words: string[]; readonly limit: number }): string {
    return words.slice(0, limit).join(' ');
  }

  @Tool({ description: 'Show a point', input: POINT })
  point({ x, y }: typeof POINT.infer, context: RequestContext): string {
    return `${x}, ${y}, ${context.signal.aborted}`;
  }
}

describe.each(ERAS)('a tool with a Standard Schema, in the %s era,', (era) => {
  it('lists the JSON Schemas of zod, valibot and ArkType', async () => {
    await using session = await connect(new Weather(), { era });
    const { tools } = await session.client.listTools();
    const schemas = new Map(tools.map(({ name, inputSchema, outputSchema }) => [name, { inputSchema, outputSchema }]));
    expect(schemas.get('forecast')?.inputSchema).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of the city' },
        days: { type: 'integer', default: 3, maximum: 7 },
      },
      required: ['city'],
    });
    expect(schemas.get('forecast')?.outputSchema).toMatchObject({ properties: { degrees: { type: 'array' } } });
    expect(schemas.get('join')?.inputSchema).toMatchObject({ properties: { words: { type: 'array' } }, required: ['words'] });
    expect(schemas.get('point')?.inputSchema).toMatchObject({ properties: { x: { type: 'number' } }, required: ['x'] });
  });

  it('applies the defaults of the schema', async () => {
    await using session = await connect(new Weather(), { era });
    const { structuredContent } = await session.call('forecast', { city: 'Rome' });
    expect(structuredContent).toEqual({ city: 'Rome', degrees: [0, 1, 2] });
    expect(await session.text('join', { words: ['a', 'b', 'c'] })).toBe('a b');
    expect(await session.text('point', { x: 1 })).toBe('1, 0, false');
  });

  it.each([
    ['forecast', { city: '', days: 9 }, ['city: ', 'days: ']],
    ['forecast', {}, ['city: ']],
    ['join', { words: ['a', 1] }, ['words.1: ']],
    ['point', { x: 'one' }, ['x: ']],
  ])('rejects wrong arguments with their paths: %s %j', async (name, given, paths) => {
    await using session = await connect(new Weather(), { era });
    const error: unknown = await session.call(name, given).catch((reason: unknown) => reason);
    const text = String(error);
    expect(text).toContain(`INVALID_ARGUMENTS: ${name} was not run\n`);
    for (const path of paths) expect(text).toContain(`\n${path}`);
  });

  it('sends the value of the output schema, without other properties', async () => {
    await using session = await connect(new Weather(), { era });
    expect(await session.call('told')).toMatchObject({
      content: [{ type: 'text', text: 'Rome, 1 °C' }],
      structuredContent: { city: 'Rome', degrees: [1] },
    });
  });

  it('fails if a result does not match the output schema', async () => {
    const errors: string[] = [];
    await using session = await connect(new Weather(), { era, onError: (error) => errors.push(String(error)) });
    await expect(session.call('wrong')).rejects.toThrow('INTERNAL');
    expect(errors).toEqual([expect.stringContaining('breaks its output schema\ndegrees.0: ')]);
  });
});

it('fails if a check of the output schema throws, and leaves no rejected promise', async () => {
  const output = z.object({ url: z.string().refine((url) => new URL(url).host !== '') });
  @McpServer({ name: 'hosts', version: '1.0.0' })
  class Hosts {
    @Tool({ description: 'Return a host', output })
    host(): { url: string } {
      return { url: 'nope' };
    }
  }
  const errors: string[] = [];
  await using session = await connect(new Hosts(), { onError: (error) => errors.push(String(error)) });
  await expect(session.call('host')).rejects.toThrow('INTERNAL');
  expect(errors).toEqual([expect.stringContaining('or a check that threw an error')]);
});

describe('a schema that cannot be used', () => {
  const old: StandardSchema = Object.assign(Object.create(null), {
    '~standard': { version: 1, vendor: 'old', validate: (value: unknown) => ({ value }) },
  });

  it.each<[string, StandardSchema, string]>([
    ['of a library without JSON Schema', old, 'the library "old" does not convert it to JSON Schema'],
    ['of a value that JSON cannot represent', z.object({ at: z.date() }), 'the library "zod" cannot convert it to JSON Schema'],
    ['of a string', z.string(), 'it must describe an object'],
  ])('is a definition error: %s', async (_, schema, problem) => {
    class Broken {
      run(): string {
        return '';
      }
    }
    const { run } = Object.getOwnPropertyDescriptors(Broken.prototype);
    if (run === undefined) throw new Error('the class has a method');
    Tool({ description: 'Run', input: schema as StandardSchema<never> })(Broken.prototype, 'run', run);
    McpServer({ name: 'broken', version: '1.0.0' })(Broken);
    await expect(connect(new Broken())).rejects.toThrow(`Broken.run: the schema of input cannot be used: ${problem}`);
  });
});
