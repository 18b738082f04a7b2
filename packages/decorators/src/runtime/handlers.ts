import type { ServerContext } from '@modelcontextprotocol/server';

import { callTool } from './call-tool.ts';
import { complete } from './complete.ts';
import type { Connection } from './connection.ts';
import { failedRequest, reporterFor } from './failure.ts';
import { getPrompt } from './get-prompt.ts';
import { listPage, type ListOptions, type Page } from './list-page.ts';
import { listedBy } from './listed-resources.ts';
import { toolsOf } from './listed-tools.ts';
import { readResource } from './read-resource.ts';
import { mayHaveTools } from './served.ts';
import { handleChanges } from './session-changes.ts';
import { sendsStructure, withoutOutputSchema } from './structured.ts';

/** Answers the requests of one protocol instance, as far as the server's class has something for them. */
export function handleRequests(connection: Connection): void {
  const { resources, templates, prompts, completions } = connection.served.compiled;
  if (mayHaveTools(connection.served)) handleTools(connection);
  if (resources.size + templates.length > 0) handleResources(connection);
  if (prompts.size > 0) handlePrompts(connection);
  if (completions.size > 0) handleCompletions(connection);
  if (connection.era === 'legacy') handleSession(connection);
}

function handleTools(connection: Connection): void {
  const { server, served } = connection;
  const { compiled, offers, onError } = served;
  server.setRequestHandler('tools/list', async ({ params }, context) => {
    const list = { name: 'tools', entries: [...toolsOf(served.server, compiled, onError).values()], offers };
    const { entries, ...next } = await page(connection, list, params?.cursor, context);
    const shown = definitionsOf(entries);
    return { tools: sendsStructure(connection, context) ? [...shown] : shown.map(withoutOutputSchema), ...next };
  });
  server.setRequestHandler('tools/call', (request, context) => callTool(connection, request, context));
}

function handleResources(connection: Connection): void {
  const { server, served } = connection;
  const fixed = definitionsOf(served.compiled.resources.values());
  const failing = { place: `${served.server.constructor.name}.listResources`, definition: { name: 'resources/list' } };
  const templates = { name: 'templates', entries: definitionsOf(served.compiled.templates) };
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const listed = await listedBy(served.server).catch((error: unknown) => {
      throw failedRequest(error, failing, reporterFor(served.onError, context.mcpReq.signal));
    });
    const list = { name: 'resources', entries: [...fixed, ...listed] };
    const { entries, ...next } = await page(connection, list, params?.cursor, context);
    return { resources: entries, ...next };
  });
  server.setRequestHandler('resources/templates/list', async ({ params }, context) => {
    const { entries, ...next } = await page(connection, templates, params?.cursor, context);
    return { resourceTemplates: entries, ...next };
  });
  server.setRequestHandler('resources/read', (request, context) => readResource(connection, request, context));
}

function handlePrompts(connection: Connection): void {
  const { server, served } = connection;
  const list = { name: 'prompts', entries: definitionsOf(served.compiled.prompts.values()) };
  server.setRequestHandler('prompts/list', async ({ params }, context) => {
    const { entries, ...next } = await page(connection, list, params?.cursor, context);
    return { prompts: entries, ...next };
  });
  server.setRequestHandler('prompts/get', (request, context) => getPrompt(connection, request, context));
}

function handleCompletions(connection: Connection): void {
  connection.server.setRequestHandler('completion/complete', (request, context) => complete(connection, request, context));
}

/** On 2026-07-28 there are no such notifications, and whoever owns the transport sees the listen streams. */
function handleSession(connection: Connection): void {
  connection.server.setNotificationHandler('notifications/roots/list_changed', () => connection.knownRoots.forget());
  handleChanges(connection);
}

function page<Entry>(
  { served: { compiled, sealing } }: Connection,
  list: Omit<ListOptions<Entry>, 'pageSize' | 'sealing'>,
  cursor: string | undefined,
  context: ServerContext,
): Promise<Page<Entry>> {
  return listPage({ ...list, pageSize: compiled.pageSize, sealing }, cursor, context);
}

function definitionsOf<Definition>(primitives: Iterable<{ readonly definition: Definition }>): readonly Definition[] {
  return [...primitives].map(({ definition }) => definition);
}
