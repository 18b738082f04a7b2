/** Marks the class `RequestContext`, so that a method whose first parameter it is takes no input. */
export const REQUEST_CONTEXT: symbol = Symbol.for('@org/mcp-decorators/request-context');

export function isRequestContextClass(type: unknown): boolean {
  return typeof type === 'function' && REQUEST_CONTEXT in type;
}
