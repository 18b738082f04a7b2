import { Feature, McpServer, type ResourceWatcher } from '@org/mcp-decorators';

import { AskingTools } from './asking-tools.ts';
import { ChangeTools } from './change-tools.ts';
import { ContentTools } from './content-tools.ts';
import { Prompts } from './prompts.ts';
import { ReportingTools } from './reporting-tools.ts';
import { Resources } from './resources.ts';
import { RoundTools } from './round-tools.ts';
import { SchemaTools } from './schema-tools.ts';

/** The features that the official conformance suite of the protocol expects of a server. */
@McpServer({ name: 'conformance', version: '1.0.0' })
export class ConformanceServer implements ResourceWatcher {
  @Feature() readonly content: ContentTools = new ContentTools();
  @Feature() readonly schemas: SchemaTools = new SchemaTools();
  @Feature() readonly reporting: ReportingTools = new ReportingTools();
  @Feature() readonly asking: AskingTools = new AskingTools();
  @Feature() readonly rounds: RoundTools = new RoundTools();
  @Feature() readonly changes: ChangeTools = new ChangeTools();
  @Feature() readonly resources: Resources = new Resources();
  @Feature() readonly prompts: Prompts = new Prompts();

  watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    return this.resources.watch(uri, updated);
  }
}
