import { McpServer, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

@McpServer({
  name: 'reporting',
  version: '1.0.0',
  _meta: { 'com.example/region': 'eu' },
  extensions: { 'com.example/reports': { formats: ['pdf'] } },
  experimental: { 'com.example/push': {} },
})
class ReportingServer {
  @Tool({ description: 'Print a report', _meta: { 'com.example/pages': 40, 'anthropic/searchHint': 'export as PDF' } })
  printReport(): string {
    return 'printed';
  }
}

@McpServer({ extensions: { 'com.example/charts': {} }, tools: { print_report: { _meta: { 'com.example/pages': 20 } } } })
class ShortReports extends ReportingServer {}

describe.each(ERAS)('metadata, in the %s era,', (era) => {
  it('is sent to the official client with the definition of a tool', async () => {
    await using session = await connect(new ReportingServer(), { era });
    const { tools } = await session.client.listTools();
    expect(tools).toMatchObject([{ _meta: { 'com.example/pages': 40, 'anthropic/searchHint': 'export as PDF' } }]);
  });

  it('is merged with the metadata of a subclass, and so are capabilities', async () => {
    await using session = await connect(new ShortReports(), { era });
    const { tools } = await session.client.listTools();
    expect(tools).toMatchObject([{ _meta: { 'com.example/pages': 20, 'anthropic/searchHint': 'export as PDF' } }]);
    expect(session.client.getServerCapabilities()).toMatchObject({
      extensions: { 'com.example/reports': { formats: ['pdf'] }, 'com.example/charts': {} },
      experimental: { 'com.example/push': {} },
    });
  });
});
