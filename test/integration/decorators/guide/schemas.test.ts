import { McpServer, Tool } from '@org/mcp-decorators';
import { connect } from '@org/mcp-testing';
import { expect, it } from 'vitest';
import * as z from 'zod';

const CITY = z.object({ city: z.string().min(1), days: z.int().max(7).default(3) });

@McpServer({ name: 'forecasts', version: '1.0.0' })
class ForecastServer {
  @Tool({ description: 'Forecast the weather', input: CITY })
  forecast({ city, days }: z.infer<typeof CITY>): string {
    return `${days} dry days in ${city}`;
  }
}

it('accepts schemas instead of classes', async () => {
  await using session = await connect(new ForecastServer());
  expect(await session.text('forecast', { city: 'Rome' })).toBe('3 dry days in Rome');
});
