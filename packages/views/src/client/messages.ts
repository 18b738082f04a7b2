/** A request, a notification or a response of JSON-RPC. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A content block of a tool's result, with the properties that views read. */
interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** Result of a tool. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The context in which the client shows a view, as far as views read it. */
export interface ClientContext {
  readonly theme?: 'light' | 'dark';
  readonly styles?: { readonly variables?: Readonly<Record<string, string | undefined>> };
  readonly toolInfo?: { readonly tool?: { readonly name?: string } };
  readonly locale?: string;
}

/** The requests of views that a client serves. */
export interface ClientCapabilities {
  readonly serverTools?: object;
  readonly downloadFile?: object;
  readonly updateModelContext?: object;
}

/** The client's answer to the first request of a view. */
export interface Initialized {
  readonly hostContext?: ClientContext;
  readonly hostCapabilities?: ClientCapabilities;
}

/** Returns the text blocks of a result, joined by line breaks. */
export function textOf({ content }: ToolResult): string {
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n');
}

/** Returns the structured content of a result. For clients that get only the text, it is in the data for the view. */
export function structureOf<Structure extends object>(result: ToolResult): Partial<Structure> {
  const { structured } = viewDataOf<{ readonly structured: object }>(result);
  const found: unknown = result.structuredContent ?? structured ?? {};
  return found as Partial<Structure>;
}

/** Returns the data that the server added for the view. */
export function viewDataOf<Data extends object>({ _meta }: ToolResult): Partial<Data> & { readonly tools: readonly string[] } {
  const data = _meta?.['view'] as (Partial<Data> & { readonly tools?: readonly string[] }) | undefined;
  return { ...(data as Partial<Data>), tools: data?.tools ?? [] };
}
