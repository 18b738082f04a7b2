export type Id = string | number;

/** A received JSON-RPC message of any shape; the type contains only the members that tests read. */
export interface Message {
  readonly jsonrpc?: string;
  readonly id?: Id | null;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Result;
  readonly error?: RpcError;
}

export interface Params {
  readonly [member: string]: unknown;
  readonly _meta?: Meta;
  readonly progress?: number;
  readonly message?: string;
  readonly uri?: unknown;
  readonly requestedSchema?: FormSchema;
}

export interface Result {
  readonly [member: string]: unknown;
  readonly _meta?: Meta;
  readonly resultType?: string;
  readonly nextCursor?: string;
  readonly protocolVersion?: string;
  readonly content?: readonly Block[];
  readonly tools?: readonly Listed[];
  readonly resources?: readonly Listed[];
  readonly resourceTemplates?: readonly Listed[];
  readonly prompts?: readonly Listed[];
  readonly contents?: readonly Params[];
  readonly messages?: readonly { readonly role?: string; readonly content?: Block }[];
  readonly completion?: { readonly values?: readonly string[]; readonly total?: number; readonly hasMore?: boolean };
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly requestState?: string;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

interface Meta {
  readonly [key: string]: unknown;
  readonly progressToken?: Id;
}

export interface Block {
  readonly [member: string]: unknown;
  readonly type?: string;
  readonly text?: string;
}

export interface Listed {
  readonly [member: string]: unknown;
  readonly name?: string;
  readonly uri?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

export interface InputRequest {
  readonly method: string;
  readonly params?: Params;
}

export interface FormSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
