import type { CallToolResult, ReadResourceResult, Tool } from '@modelcontextprotocol/client';
import type { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Browser, Frame, Page } from 'playwright-core';

import type { Session } from '../session/session.ts';
import { startBrowser } from './browser.ts';
import { createContentPolicy, type ContentSettings } from './content-policy.ts';
import { createHostPage, HOST_URL, PageTransport, VIEW_URL } from './page-transport.ts';

/** How a view is shown. */
export interface ViewOptions {
  /** Default: `light`. */
  readonly theme?: 'light' | 'dark';
  /** Width of the panel in pixels. Default: 720. */
  readonly width?: number;
  /** Height of the panel in pixels. Default: 600. */
  readonly height?: number;
  /** Started browser, which stays open. Default: a browser is started, and ends with the view. */
  readonly browser?: Browser;
  /** Path of the program of Chromium. Default: a usual place of Chromium or Chrome. */
  readonly executablePath?: string;
  /** Time in milliseconds within which the view must initialize. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** A file that a view let the client save. */
export interface SavedFile {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly text: string;
}

/** A view that is shown for a call of a tool. Close it with `await using`. */
export interface View extends AsyncDisposable {
  /** The page of the host, to take pictures of it and to change its size. */
  readonly page: Page;
  /** The document of the view, to find and to use its elements. */
  readonly frame: Frame;
  /** The result of the call that the view shows. */
  readonly result: CallToolResult;
  /** URLs that the view tried to reach. All such requests are refused. */
  readonly requests: readonly string[];
  /** Texts that the view added to what the model reads next. */
  readonly modelContext: readonly string[];
  /** Files that the view let the client save. */
  readonly files: readonly SavedFile[];
  /** Errors of the view's scripts, and violations of its content security policy. */
  readonly errors: readonly string[];
}

/**
 * Calls a tool and shows its view in Chromium, behind the bridge of `@modelcontextprotocol/ext-apps`. The view calls tools of the same
 * session. Needs Chromium and the packages `playwright-core` and `@modelcontextprotocol/ext-apps`.
 *
 * @throws Error if the tool has no view, if the client of the session has not declared MCP Apps, or if the view does not initialize in time
 */
export async function openView(
  session: Session,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
  options: ViewOptions = {},
): Promise<View> {
  const content = await readView(session, tool);
  const browser = options.browser ?? (await startBrowser(options.executablePath));
  let page: Page | undefined;
  const close = async (): Promise<void> => (options.browser === undefined ? browser.close() : page?.close());
  try {
    page = await browser.newPage({ viewport: { width: options.width ?? 720, height: options.height ?? 600 } });
    return await showView({ session, tool, args, options }, content, { page, close });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Shown {
  readonly session: Session;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly options: ViewOptions;
}

async function showView({ session, tool, args, options }: Shown, content: ViewContent, { page, close }: Opened): Promise<View> {
  const requests: string[] = [];
  const errors: string[] = [];
  await routePages(page, content, requests);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const { timeoutMs = 10_000 } = options;
  const bridge = await createBridge(session, content, options);
  const { modelContext, files } = recordRequests(bridge);
  const ready = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()));
  await bridge.connect(new PageTransport(page));
  await page.goto(HOST_URL);
  await within(ready, timeoutMs, () => `the view of ${tool} did not initialize: ${errors.join('; ')}`);
  await bridge.sendToolInput({ arguments: { ...args } });
  const result = await session.client.callTool({ name: tool, arguments: { ...args } });
  await bridge.sendToolResult(result);
  const frame = page.frames().find((each) => each.url() === VIEW_URL);
  if (frame === undefined) throw new Error(`the frame of ${tool} is gone`);
  return {
    page,
    frame,
    result,
    requests,
    modelContext,
    files,
    errors,
    async [Symbol.asyncDispose]() {
      await bridge.close();
      await close();
    },
  };
}

async function createBridge(
  { client }: Session,
  { tool }: ViewContent,
  { theme = 'light', width = 720, height = 600 }: ViewOptions,
): Promise<AppBridge> {
  const { AppBridge: Bridge } = await import('@modelcontextprotocol/ext-apps/app-bridge');
  const containerDimensions = { width, maxHeight: height };
  return new Bridge(
    client,
    { name: '@org/mcp-testing', version: '1.0.0' },
    { serverTools: {}, serverResources: {}, logging: {}, downloadFile: {}, updateModelContext: { text: {} } },
    { hostContext: { theme, displayMode: 'inline', containerDimensions, toolInfo: { tool } } },
  );
}

/** Grants and records the requests of views to the client. */
function recordRequests(bridge: AppBridge): Pick<View, 'modelContext' | 'files'> {
  const modelContext: string[] = [];
  const files: SavedFile[] = [];
  bridge.onupdatemodelcontext = async ({ content = [] }) => {
    modelContext.push(...content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
    return {};
  };
  bridge.ondownloadfile = async ({ contents }) => {
    for (const block of contents) {
      if (block.type !== 'resource' || !('text' in block.resource)) continue;
      const { uri, mimeType, text } = block.resource;
      files.push({ uri, mimeType, text });
    }
    return {};
  };
  return { modelContext, files };
}

interface Opened {
  readonly page: Page;
  /** Closes the page, and the browser if it was started for the page. */
  readonly close: () => Promise<void>;
}

interface ViewContent extends ContentSettings {
  readonly html: string;
  readonly tool: Tool;
}

async function readView({ client }: Session, name: string): Promise<ViewContent> {
  const tool = (await client.listTools()).tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`the server does not offer ${name}`);
  const { resourceUri } = readSettings<{ readonly resourceUri?: string }>(tool._meta);
  if (resourceUri === undefined)
    throw new Error(`${name} has no view, or the client of the session has not declared io.modelcontextprotocol/ui`);
  const { contents }: ReadResourceResult = await client.readResource({ uri: resourceUri });
  const [first] = contents;
  if (first === undefined || !('text' in first)) throw new Error(`${resourceUri} is not a text`);
  return { ...readSettings<ContentSettings>(first._meta), html: first.text, tool };
}

function readSettings<Settings extends object>(meta: Readonly<Record<string, unknown>> | undefined): Partial<Settings> {
  return meta?.['ui'] ?? {};
}

async function routePages(page: Page, content: ViewContent, requests: string[]): Promise<void> {
  const contentType = 'text/html; charset=utf-8';
  await page.context().route('**/*', async (route) => {
    const url = route.request().url();
    if (url === HOST_URL) return route.fulfill({ contentType, body: createHostPage(Object.keys(content.permissions ?? {})) });
    if (url === VIEW_URL)
      return route.fulfill({
        contentType,
        body: content.html,
        headers: { 'content-security-policy': createContentPolicy(content) },
      });
    requests.push(url);
    return route.abort();
  });
}

async function within(work: Promise<void>, ms: number, explain: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(explain())), ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
