import { Feature, McpServer, type ResourceWatcher } from '@org/mcp-decorators';

import { AskingTools } from './asking-tools.ts';
import { ContentTools } from './content-tools.ts';
import { Prompts } from './prompts.ts';
import { Resources } from './resources.ts';
import { WorkingTools } from './working-tools.ts';

/** A server with features for every part of the protocol; its lists have pages of five entries. */
@McpServer({
  name: 'protocol',
  version: '1.0.0',
  title: 'Protocol',
  instructions: 'Ask it for anything.',
  _meta: { 'com.example/region': 'eu' },
  extensions: { 'com.example/reports': { formats: ['pdf'] } },
  experimental: { 'com.example/push': {} },
  pageSize: 5,
  cache: { ttlMs: 60_000, cacheScope: 'public' },
})
export class ProtocolServer implements ResourceWatcher {
  @Feature() readonly content: ContentTools = new ContentTools();
  @Feature() readonly working: WorkingTools = new WorkingTools();
  @Feature() readonly asking: AskingTools = new AskingTools();
  @Feature() readonly resources: Resources = new Resources();
  @Feature() readonly prompts: Prompts = new Prompts();

  watch(uri: string, updated: () => void): Promise<AsyncDisposable | undefined> {
    return this.resources.watch(uri, updated);
  }
}
