import type { SamplingRequest, SamplingResult } from '@org/mcp-decorators';

/** Returns a question to the client's model, as one user message. */
export function modelQuestion(text: string, maxTokens: number): SamplingRequest {
  return { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens };
}

/** Returns the text of the model, or the type of its content if it is not text. */
export function modelAnswer({ content }: SamplingResult): string {
  return content.type === 'text' ? content.text : content.type;
}
